import PurchaseEvents

/// A log to read: one file, or several of which each continues the one before.
struct InputLog {
    /// How it is named: the path of its first file.
    var name: String { parts.first?.path ?? "-" }
    /// Its files, in order.
    var parts: [InputPart]
    /// Its bytes, where they are known.
    var size: Int? {
        parts.reduce(0) { sum, part in sum.flatMap { sum in part.size.map { sum + $0 } } }
    }
}

/// A file of a log.
final class InputPart {
    /// Its path, or `-`.
    let path: String
    /// Its bytes, where they are known.
    let size: Int?
    /// How many of its bytes belong to the log, where not all do.
    private var limit: Int?
    private let host: any Host
    /// The source of what can be read only once, until it is read.
    private var held: (any ByteSource)?
    /// All the bytes of what can be read only once and is wanted again.
    private var kept: [UInt8]?

    /// A file, which is opened each time it is read.
    ///
    /// - Parameter limit: how many of its bytes belong to the log, where not all do.
    init(path: String, size: Int, limit: Int? = nil, host: any Host) {
        self.path = path
        self.size = min(size, limit ?? size)
        self.limit = limit
        self.host = host
    }

    /// A pipe or a device, which is open already.
    ///
    /// - Parameter keeping: whether its bytes are kept in memory to be read again.
    init(path: String, stream: any ByteSource, keeping: Bool, host: any Host) throws(ToolError) {
        self.path = path
        self.host = host
        guard keeping else {
            size = nil
            held = stream
            return
        }
        let bytes = try InputPart.all(of: stream, path)
        kept = bytes
        size = bytes.count
    }

    /// The bytes, from the beginning.
    func source() throws(ToolError) -> any ByteSource {
        if let kept { return MemorySource(kept) }
        if let source = held {
            held = nil
            return source
        }
        do {
            let source = try host.source(of: path)
            return limit.map { LimitedSource(source, $0) } ?? source
        } catch {
            throw .noInput("cannot open `\(EscapedText.escape(path))`: \(error.words)")
        }
    }

    /// The most bytes that are kept in memory of one input.
    static let keptLimit = 1 << 30

    /// Everything that a source has, of which there may be only so much; `advice` says what to do
    /// with more.
    static func all(
        of source: any ByteSource, _ path: String, atMost limit: Int = keptLimit,
        advice: String = "write it to a file and name that"
    ) throws(ToolError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let result = chunk.withUnsafeMutableBytes { buffer in
                Result { () throws(ReadProblem) in try source.read(into: buffer) }
            }
            do {
                let count = try result.get()
                if count == 0 { return bytes }
                guard count <= limit - bytes.count else { throw tooLarge(path, limit, advice) }
                bytes.append(contentsOf: chunk[..<count])
            } catch let error as ToolError {
                throw error
            } catch {
                throw .ioFailed("cannot read `\(EscapedText.escape(path))`: \(error)")
            }
        }
    }

    private static func tooLarge(_ path: String, _ limit: Int, _ advice: String) -> ToolError {
        .noInput(
            "`\(EscapedText.escape(path))` is too large to be kept in memory: expected at most "
                + "\(Words.grouped(limit)) bytes; \(advice)")
    }
}

/// The first bytes of a source.
final class LimitedSource: ByteSource {
    private let source: any ByteSource
    private var left: Int

    init(_ source: any ByteSource, _ limit: Int) {
        self.source = source
        left = limit
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadProblem) -> Int {
        guard left > 0 else { return 0 }
        let count = try source.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(left, buffer.count)]))
        left -= count
        return count
    }
}
