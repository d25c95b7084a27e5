import Foundation
import TestSupport

@testable import PurchaseEvents

/// Sample logs and drafts for the tests of the log.
enum LogSamples {
    static let path = "folder/app.jsonl"
    static let now = Timestamp(milliseconds: 1_771_578_000_000)
    static let opened =
        #"{"seq":1,"at":"2026-02-20T09:00:00.000Z","type":"log.opened","schema":1}"# + "\n"

    static func draft(_ text: String, id: String? = nil, at: Timestamp = now) -> Draft {
        Draft(at: at, id: id, .logNoted(text: text))
    }

    /// The line of ``draft(_:id:at:)`` with its newline.
    static func line(_ seq: Int64, _ text: String, id: String? = nil) -> String {
        let id = id.map { #""id":"\#($0)","# } ?? ""
        return #"{"seq":\#(seq),"at":"2026-02-20T09:00:00.000Z","type":"log.noted",\#(id)"#
            + #""text":"\#(text)"}"# + "\n"
    }

    /// A line of an unknown type, with its newline.
    static func unknown(_ seq: Int64) -> String {
        #"{"seq":\#(seq),"at":"2026-02-20T09:00:00.000Z","type":"log.new"}"# + "\n"
    }

    /// The line that reports a tail that was cut off.
    static func recovered(_ seq: Int64, _ tail: String, _ file: String) -> String {
        #"{"seq":\#(seq),"at":"2026-02-20T09:00:00.000Z","type":"log.recovered","#
            + #""bytes":\#(tail.utf8.count),"sha256":"\#(SHA256.hash(Array(tail.utf8)).hex)","#
            + #""file":"\#(file)"}"# + "\n"
    }

    /// A log with `log.opened` and these texts.
    static func log(_ texts: String...) -> String {
        opened
            + texts.enumerated().map { line(Int64($0.offset) + 2, $0.element) }.joined()
    }

    static func create(
        in files: any FileOperations, at path: String = path, durability: Durability = .disk,
        layout: LogLayout = .file, chained: Bool = false
    ) throws(EventLogError) -> EventLog {
        try EventLog.create(
            at: path, app: nil, writer: nil, recordedAt: now, durability: durability,
            layout: layout, chained: chained, operations: files)
    }

    static func open(
        in files: any FileOperations, at path: String = path, durability: Durability = .disk,
        tornTail: TornTailPolicy = .refuse
    ) throws(EventLogError) -> EventLog {
        try EventLog.open(
            at: path, durability: durability, tornTail: tornTail, operations: files)
    }

    /// A file system with one log.
    static func files(_ text: String) -> MemoryFiles {
        let files = MemoryFiles()
        files[path] = Array(text.utf8)
        return files
    }

    /// All entries up to the end.
    static func entries(_ reader: EventReader) throws(EventLogError) -> [LogEntry] {
        var entries: [LogEntry] = []
        while let entry = try reader.next() { entries.append(entry) }
        return entries
    }

    /// The `seq` and text of each event.
    static func texts(_ entries: [LogEntry]) -> [String] {
        entries.map { entry in
            guard let event = entry.event else { return "?" }
            if case .logNoted(let text) = event.fact { return "\(event.seq) \(text)" }
            return "\(event.seq) \(event.type.wireName)"
        }
    }

    /// The `seq` and text of each event of a log.
    static func texts(of log: EventLog) throws -> [String] { try texts(entries(log.read())) }

    static func text(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }
}

/// A folder on the disk that is removed when its last reference goes away.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "event-log-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a log in the folder.
    var log: String { path + "/app.jsonl" }

    /// The names in the folder, sorted.
    var names: [String] { get throws { try names(in: path) } }

    func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }

    /// Appends bytes to a file, as another process would.
    func append(_ bytes: some Sequence<UInt8>, to path: String) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }
}
