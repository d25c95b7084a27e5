import PurchaseEvents
import PurchaseSignatures

/// A file to import: its name for remarks, and its bytes.
public struct ImportFile: Sendable {
    /// The name of the file in remarks: a path, or `-`.
    public var name: String
    /// The content of the file.
    public var bytes: [UInt8]

    /// Creates a file from its name and content.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// A file to import, read piece by piece.
public struct ImportInput {
    /// The name of the file in remarks: a path, or `-`.
    public var name: String
    /// Opens the file; the import calls this closure once.
    public var open: () throws -> any ByteSource

    /// Creates a file from its name and the closure that opens it.
    public init(name: String, open: @escaping () throws -> any ByteSource) {
        self.name = name
        self.open = open
    }
}

/// The options of an import.
public struct ImportOptions: Sendable {
    /// The secret that version 1 notifications must carry (G7.2); `nil` skips the check.
    public var sharedSecret: SharedSecret?
    /// The `at` of every event; `nil` uses the latest past date of each document, or each row's own
    /// `at`.
    public var recordedAt: Timestamp?
    /// The writer that `log.opened` names.
    public var writer: String
    /// The kind of every document; `nil` recognises each document by its content.
    public var kind: ImportKind?
    /// The root certificates trusted for signatures.
    public var roots = TrustedRoots.apple
    /// Whether the import verifies signatures.
    public var verifies = true
    /// The bundle identifier expected in records; a record without one passes.
    public var bundleID: String?
    /// The Apple ID of the app expected in records; a record without one passes.
    public var appID: Int64?
    /// Whether the import opens receipts inside other documents.
    public var opensReceipts = false
    /// The key of signed records that becomes the account; `nil` takes the token, and counts the
    /// transactions that name a customer without a token.
    public var account: AccountKey?
    /// The column of a table to read; `nil` reads each column that holds App Store data.
    public var column: String?
    /// The mapping of rows to events; only ``RowImporter`` uses it.
    public var rows: RowMapping?
    /// The number of threads that read and verify records; any number gives the same result.
    public var threads = 1

    /// Creates options with the default values of all other properties.
    public init(
        sharedSecret: SharedSecret? = nil, recordedAt: Timestamp? = nil,
        writer: String = "replay import"
    ) {
        self.sharedSecret = sharedSecret
        self.recordedAt = recordedAt
        self.writer = writer
    }
}

/// The result of an import: one log, and the remarks on the input.
public struct ImportResult: Sendable {
    /// The events, numbered from 1, the first a `log.opened`; empty if the input states nothing.
    public internal(set) var events: [Event<Written>] = []
    /// The canonical lines of ``events``, each with its end of line.
    public internal(set) var log: [UInt8] = []
    /// The remarks on each file, in file order, then the remarks on the log as a whole.
    public internal(set) var remarks: [ImportRemark] = []
    /// The counts over all files.
    public internal(set) var tally = ImportTally()

    /// Whether the log has all the data that events can hold: no remark is an error or a warning.
    public var isComplete: Bool { remarks.allSatisfy { $0.level == .note } }
}

/// The outcome of reading one file.
public struct ImportedFile: Sendable {
    /// The name of the file in remarks.
    public var name: String
    /// The counts over the file.
    public var tally: ImportTally
    /// The remarks on the file.
    public var remarks: [ImportRemark]
}

/// The destination of an import.
public protocol ImportSink: AnyObject {
    /// Receives the next bytes of the log.
    func write(_ bytes: [UInt8]) throws
    /// Receives the outcome of reading one file.
    func finish(_ file: ImportedFile)
    /// Receives the progress: the bytes and the records read so far.
    func advance(bytes: Int, records: Int)
}

/// The summary of an import.
public struct ImportSummary: Sendable {
    /// The counts over all files.
    public internal(set) var tally = ImportTally()
    /// The number of events in the log.
    public internal(set) var events = 0
    /// The number of records read.
    public internal(set) var records = 0
    /// The remarks on the log as a whole.
    public internal(set) var remarks: [ImportRemark] = []
}

/// Turns data from one source into a log; equal input gives equal bytes.
public protocol Importer: Sendable {
    /// The importer's name in `replay import NAME FILE…`.
    var name: String { get }
    /// The data that the importer reads, in one line for the help.
    var summary: String { get }
    /// Writes one log of all the files.
    ///
    /// Input that can't be read or mapped gives a remark. Throws the errors of opening, reading and
    /// writing. Reads the input once. Memory: the largest record, and about 60 bytes per record;
    /// above 16 MiB, events wait in a temporary file until they are sorted.
    func run(
        _ inputs: [ImportInput], options: ImportOptions, into sink: any ImportSink
    ) throws -> ImportSummary
}

extension Importer {
    /// Imports files that are in memory and returns their log; an error becomes a remark.
    public func log(of files: [ImportFile], options: ImportOptions) -> ImportResult {
        let sink = MemorySink()
        let inputs = files.map { file in ImportInput(name: file.name) { MemorySource(file.bytes) } }
        do {
            let summary = try run(inputs, options: options, into: sink)
            sink.result.remarks += summary.remarks
            sink.result.tally = summary.tally
        } catch {
            let place = ImportPlace(file: files.first?.name ?? "", line: 1)
            sink.result.remarks.append(
                ImportRemark(level: .error, place: place, message: "the import failed: \(error)"))
        }
        let decoder = LineDecoder()
        for line in sink.result.log.split(separator: UInt8(ascii: "\n")) {
            if let event = decoder.event(on: line) { sink.result.events.append(event) }
        }
        return sink.result
    }
}

private final class MemorySink: ImportSink {
    var result = ImportResult()

    func write(_ bytes: [UInt8]) { result.log += bytes }

    func finish(_ file: ImportedFile) { result.remarks += file.remarks }

    func advance(bytes: Int, records: Int) {}
}

/// The list of importers; a new importer adds one file and one element here.
public enum Importers {
    /// All importers, in the order of the help.
    public static let all: [any Importer] = [AppStoreImporter(), RowImporter()]

    /// The importer with a name, or `nil` if none has that name.
    public static func named(_ name: String) -> (any Importer)? { all.first { $0.name == name } }
}
