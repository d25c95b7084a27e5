import PurchaseEvents

/// The system that the tool runs on; tests replace it with one in memory.
protocol Host: AnyObject {
    func kind(of path: String) throws(SystemProblem) -> PathKind
    /// The names of the entries of a folder, in any order.
    func names(in folder: String) throws(SystemProblem) -> [String]
    /// Opens a file for reading from an offset.
    func open(_ path: String, from offset: Int) throws(SystemProblem) -> any ByteSource
    /// The bytes of standard input; a file is read again from its position at the start.
    var standardInput: any ByteSource { get }
    /// The size of standard input in bytes if it is a file that can be read again; else `nil`.
    var standardInputSize: Int? { get }
    func write(_ bytes: UnsafeRawBufferPointer, to stream: ToolStream) throws(SystemProblem)
    /// Whether two paths name the same existing regular file.
    func isSame(_ path: String, _ other: String) -> Bool
    /// Opens a file for writing, and creates it if needed; the first write replaces the file's
    /// content.
    func create(_ path: String) throws(SystemProblem) -> any ByteSink
    /// Writes a whole file beside a path and renames it to the path, so that the path never holds a
    /// partial file.
    ///
    /// A path that names a pipe or a device is written in place.
    func replace(_ path: String, with bytes: UnsafeRawBufferPointer) throws(SystemProblem)
    /// Begins a file that will take the place of the one at a path; only its owner may read it.
    ///
    /// Throws `EWOULDBLOCK` while another run reads or replaces the file.
    func beginReplacing(_ path: String) throws(SystemProblem) -> any FileReplacement
    /// Opens a file to change it in place; throws if anybody else, or another name, shares it.
    func change(_ path: String) throws(SystemProblem) -> any ChangedFile
    /// Creates a folder; throws if the path exists.
    func createFolder(_ path: String) throws(SystemProblem)
    /// Renames a folder; an empty folder of the new name is replaced.
    func renameFolder(_ path: String, to other: String) throws(SystemProblem)
    /// Removes a folder that the tool made and all it holds, as far as possible.
    func removeFolder(_ path: String)
    /// Whether a shell command exits with status 0 when its last argument is the path of a file
    /// with these bytes.
    ///
    /// Returns `nil`, and ends the command and what it started, if it gives no answer within a
    /// duration, or if a held signal comes.
    func succeeds(
        _ command: String, on bytes: [UInt8], within limit: Duration
    ) throws(SystemProblem) -> Bool?
    /// Makes the first SIGINT or SIGTERM end the next ``pause(for:)`` instead of the tool; the
    /// second one ends the tool.
    func holdSignals()
    /// Whether a held signal has come.
    var hasSignal: Bool { get }
    /// Waits for a duration; returns `false` at once if a held signal has come.
    func pause(for duration: Duration) -> Bool
    func isTerminal(_ stream: ToolStream) -> Bool
    /// The width of the terminal in columns; `nil` if unknown.
    var columns: Int? { get }
    func environment(_ name: String) -> String?
    /// The time since the tool was started.
    var elapsed: Duration { get }
    var now: Timestamp { get }
    var cores: Int { get }
}

extension Host {
    /// Opens a file for reading from its beginning.
    func open(_ path: String) throws(SystemProblem) -> any ByteSource { try open(path, from: 0) }

    /// The bytes of a file, or of standard input if the path is `-`.
    func source(of path: String) throws(SystemProblem) -> any ByteSource {
        path == "-" ? standardInput : try open(path)
    }
}

extension [UInt8] {
    func withBytes<Problem: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Problem) -> Void
    ) throws(Problem) {
        try withUnsafeBufferPointer { buffer throws(Problem) in
            try body(UnsafeRawBufferPointer(buffer))
        }
    }
}

enum ToolStream: Hashable, Sendable { case output, error }

/// A file to write to, closed when the last reference to it goes away.
protocol ByteSink: AnyObject {
    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemProblem)
}

/// A file to write at any place, closed when the last reference to it goes away.
protocol ChangedFile: AnyObject, Sendable {
    /// Writes all the bytes at an offset.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemProblem)
    /// Waits until what was written is on the disk.
    func sync() throws(SystemProblem)
    /// Removes the bytes from an offset on.
    func cut(at offset: Int) throws(SystemProblem)
}

/// A file that takes the place of another one as a whole, or not at all.
protocol FileReplacement: AnyObject {
    var file: any ChangedFile { get }
    /// Puts the file in place; its bytes are on the disk when the call returns.
    func commit() throws(SystemProblem)
}

enum PathKind: Hashable, Sendable {
    /// A file that can be read again, with its size in bytes.
    case file(size: Int)
    case folder
    /// A pipe or a device, which can be read once.
    case stream
}

struct SystemProblem: Error, Hashable, Sendable {
    var code: Int32

    var isMissing: Bool { code == ENOENT }

    var words: String { ReadProblem(code: code).description }
}
