import PurchaseEvents

/// What the tool needs of the system that it runs on; tests give it another.
protocol Host: AnyObject {
    /// What lies at a path.
    func kind(of path: String) throws(SystemProblem) -> PathKind
    /// The names in a folder, in any order.
    func names(in folder: String) throws(SystemProblem) -> [String]
    /// The bytes of a file, from its beginning.
    func open(_ path: String) throws(SystemProblem) -> any ByteSource
    /// The bytes of standard input; where it is a file, each time from where it stood at first.
    var standardInput: any ByteSource { get }
    /// How many bytes standard input has, where it is a file that can be read again.
    var standardInputSize: Int? { get }
    /// Writes all the bytes.
    func write(_ bytes: UnsafeRawBufferPointer, to stream: ToolStream) throws(SystemProblem)
    /// Makes a file to be written to, where there is none; what is written takes the place of all
    /// that one held before.
    func create(_ path: String) throws(SystemProblem) -> any ByteSink
    /// Whether a person looks at the stream.
    func isTerminal(_ stream: ToolStream) -> Bool
    /// How many columns the terminal has; `nil` where that isn't known.
    var columns: Int? { get }
    /// The value of an environment variable.
    func environment(_ name: String) -> String?
    /// The time since the tool was started.
    var elapsed: Duration { get }
    /// The time by the system's clock.
    var now: Timestamp { get }
    /// How many cores there are to work on.
    var cores: Int { get }
}

extension Host {
    /// The bytes of a file, or of standard input where the path is `-`.
    func source(of path: String) throws(SystemProblem) -> any ByteSource {
        path == "-" ? standardInput : try open(path)
    }
}

/// Where the tool writes to.
enum ToolStream: Hashable, Sendable {
    case output, error
}

/// Where bytes are written to: a file, which is closed when nobody writes to it any more.
protocol ByteSink: AnyObject {
    /// Writes all the bytes.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemProblem)
}

/// What lies at a path.
enum PathKind: Hashable, Sendable {
    /// A file that can be read again, and its bytes.
    case file(size: Int)
    /// A folder.
    case folder
    /// A pipe or a device: it can be read once.
    case stream
}

/// Something that the system refused.
struct SystemProblem: Error, Hashable, Sendable {
    /// The system's error number.
    var code: Int32

    /// The system's own words.
    var words: String { ReadProblem(code: code).description }
}
