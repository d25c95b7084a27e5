import class Foundation.NSRecursiveLock
import PurchaseEvents

@testable import replay

/// A system in memory: its files by path, and the output of the tool.
final class TestHost: Host {
    /// The files by path; a folder exists if it contains a file. Another thread may write one.
    var files: [String: [UInt8]] {
        get { lock.withLock { heldFiles } }
        _modify {
            lock.lock()
            defer { lock.unlock() }
            yield &heldFiles
        }
    }
    private var heldFiles: [String: [UInt8]] = [:]
    private let lock = NSRecursiveLock()
    /// Paths of unreadable files.
    var unreadable: Set<String> = []
    /// Names that a folder lists but that no file can be opened under.
    var unnameable: Set<String> = []
    /// Paths of pipes.
    var pipes: Set<String> = []
    /// Paths of files that fail in the middle of reading.
    var broken: Set<String> = []
    var input: [UInt8] = []
    /// Whether standard input is a file, and how often it was opened.
    var inputIsFile = false
    private(set) var inputReads = 0
    var variables: [String: String] = [:]
    var terminals: Set<ToolStream> = []
    var columns: Int?
    var elapsed = Duration.milliseconds(12)
    var cores = 1
    var now = Timestamp(milliseconds: 1_771_578_000_000)
    /// The error number for writing to standard output.
    var outputProblem: Int32?

    private(set) var outputBytes: [UInt8] = []
    private(set) var errorBytes: [UInt8] = []

    /// The text written to standard output.
    var output: String { String(decoding: outputBytes, as: UTF8.self) }
    /// The text written to standard error.
    var error: String { String(decoding: errorBytes, as: UTF8.self) }

    var standardInput: any ByteSource {
        inputReads += 1
        return MemorySource(input)
    }

    var standardInputSize: Int? { inputIsFile ? input.count : nil }

    /// The answer of a shell command for the bytes of a file.
    var answer: (String, [UInt8]) -> Bool? = { _, _ in false }

    func succeeds(
        _ command: String, on bytes: [UInt8], within limit: Duration
    ) throws(SystemProblem) -> Bool? { answer(command, bytes) }

    /// What happens in each pause, in order; after the last one a signal comes.
    var pauses: [() -> Void] = []
    private(set) var holdsSignals = false

    func holdSignals() { holdsSignals = true }

    var hasSignal = false

    func pause(for duration: Duration) -> Bool {
        guard !pauses.isEmpty else { return false }
        pauses.removeFirst()()
        return true
    }

    func kind(of path: String) throws(SystemProblem) -> PathKind {
        if unreadable.contains(path) { throw SystemProblem(code: 13) }
        if pipes.contains(path) { return .stream }
        if let bytes = files[path] { return .file(size: bytes.count) }
        let folder = path.hasSuffix("/") ? path : path + "/"
        if files.keys.contains(where: { $0.hasPrefix(folder) }) { return .folder }
        throw SystemProblem(code: 2)
    }

    func names(in folder: String) throws(SystemProblem) -> [String] {
        let folder = folder.hasSuffix("/") ? folder : folder + "/"
        let below = (Array(files.keys) + unnameable).filter { $0.hasPrefix(folder) }
        if below.isEmpty { throw SystemProblem(code: 20) }
        return Set(
            below.compactMap { $0.dropFirst(folder.count).split(separator: "/").first }
                .map { String($0) }
        ).sorted().reversed()
    }

    func open(_ path: String, from offset: Int) throws(SystemProblem) -> any ByteSource {
        guard let bytes = files[path] else { throw SystemProblem(code: 2) }
        if broken.contains(path) { return BrokenSource(bytes) }
        return MemorySource(Array(bytes.dropFirst(offset)))
    }

    func beginReplacing(_ path: String) throws(SystemProblem) -> any FileReplacement {
        if unreadable.contains(path) { throw SystemProblem(code: 13) }
        files[path + ".part"] = []
        return TestReplacement(self, path)
    }

    func change(_ path: String) throws(SystemProblem) -> any ChangedFile {
        ChangedBytes(self, path)
    }

    func write(
        _ bytes: UnsafeRawBufferPointer, to stream: ToolStream
    ) throws(SystemProblem) {
        if stream == .error { return errorBytes.append(contentsOf: bytes) }
        if let outputProblem { throw SystemProblem(code: outputProblem) }
        outputBytes.append(contentsOf: bytes)
    }

    func create(_ path: String) throws(SystemProblem) -> any ByteSink {
        if unreadable.contains(path) { throw SystemProblem(code: 13) }
        files[path] = []
        return FileSink(self, path)
    }

    func isSame(_ path: String, _ other: String) -> Bool {
        func plain(_ path: String) -> [Substring] {
            path.split(separator: "/").filter { $0 != "." }
        }
        return plain(path) == plain(other)
    }

    func replace(
        _ path: String, with bytes: UnsafeRawBufferPointer
    ) throws(SystemProblem) {
        if unreadable.contains(path) { throw SystemProblem(code: 13) }
        files[path] = Array(bytes)
    }

    /// The number of bytes that fit on the disk; `nil` is no limit.
    var room: Int?

    /// Takes room on the disk for bytes.
    func take(_ count: Int) throws(SystemProblem) {
        guard let room else { return }
        guard count <= room else { throw SystemProblem(code: 28) }
        self.room = room - count
    }

    /// The folders that the tool made and didn't rename or remove.
    private(set) var folders: Set<String> = []

    func createFolder(_ path: String) throws(SystemProblem) {
        if unreadable.contains(path) { throw SystemProblem(code: 13) }
        folders.insert(path)
    }

    func renameFolder(_ path: String, to other: String) throws(SystemProblem) {
        if unreadable.contains(other) { throw SystemProblem(code: 13) }
        for (name, bytes) in files where name.hasPrefix(path + "/") {
            files[other + name.dropFirst(path.count)] = bytes
        }
        removeFolder(path)
    }

    func removeFolder(_ path: String) {
        files = files.filter { !$0.key.hasPrefix(path + "/") }
        folders = folders.filter { $0 != path && !$0.hasPrefix(path + "/") }
    }

    func isTerminal(_ stream: ToolStream) -> Bool { terminals.contains(stream) }

    func environment(_ name: String) -> String? { variables[name] }
}

/// A file of the system in memory that takes the place of another.
private final class TestReplacement: FileReplacement {
    private let host: TestHost
    private let path: String
    let file: any ChangedFile

    init(_ host: TestHost, _ path: String) {
        self.host = host
        self.path = path
        file = ChangedBytes(host, path + ".part")
    }

    deinit { host.files[path + ".part"] = nil }

    func commit() throws(SystemProblem) {
        host.files[path] = host.files.removeValue(forKey: path + ".part")
    }
}

/// A file of the system in memory, written at any place.
private final class ChangedBytes: ChangedFile, @unchecked Sendable {
    private let host: TestHost
    private let path: String

    init(_ host: TestHost, _ path: String) { (self.host, self.path) = (host, path) }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemProblem) {
        try host.take(bytes.count)
        var content = host.files[path] ?? []
        content += Array(repeating: 0, count: max(0, offset + bytes.count - content.count))
        content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        host.files[path] = content
    }

    func sync() throws(SystemProblem) {}

    func cut(at offset: Int) throws(SystemProblem) {
        host.files[path] = host.files[path].map { Array($0.prefix(offset)) }
    }
}

/// A file of the system in memory, open for writing.
private final class FileSink: ByteSink {
    private let host: TestHost
    private let path: String

    init(_ host: TestHost, _ path: String) {
        self.host = host
        self.path = path
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemProblem) {
        try host.take(bytes.count)
        host.files[path]?.append(contentsOf: bytes)
    }
}

/// A source that fails after its first bytes.
private final class BrokenSource: ByteSource {
    private var bytes: [UInt8]?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadProblem) -> Int {
        guard let bytes else { throw ReadProblem(code: 5) }
        self.bytes = nil
        buffer.copyBytes(from: bytes)
        return bytes.count
    }
}
