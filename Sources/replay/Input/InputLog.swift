import PurchaseEvents

/// A log to read: one file, or several files that continue each other.
struct InputLog {
    /// The name of the log in messages: the path of its first file.
    var name: String { parts.first?.path ?? "-" }
    var parts: [InputPart]
    /// The size in bytes; `nil` if the size of a part is unknown.
    var size: Int? {
        parts.reduce(0) { sum, part in sum.flatMap { sum in part.size.map { sum + $0 } } }
    }
}

final class InputPart {
    /// The path of the file, or `-`.
    let path: String
    /// Whether the part is a file, which can be read from any offset.
    var isFile: Bool { path != "-" && held == nil && kept == nil }
    /// The size in bytes; `nil` for a pipe or a device whose bytes aren't kept in memory.
    let size: Int?
    /// The number of bytes that belong to the log; `nil` means all.
    private var limit: Int?
    private let host: any Host
    /// The open pipe or device, until it is read.
    private var held: (any ByteSource)?
    /// All bytes of a pipe, if it must be read again.
    private var kept: [UInt8]?

    /// Creates a part from a file, which is opened for each reading; `limit` of its bytes belong to
    /// the log.
    init(path: String, size: Int, limit: Int? = nil, host: any Host) {
        self.path = path
        self.size = min(size, limit ?? size)
        (self.limit, self.host) = (limit, host)
    }

    /// Creates a part from an open pipe or device, whose bytes are kept in memory if it is read
    /// again.
    init(path: String, stream: any ByteSource, keeping: Bool, host: any Host) throws(ToolError) {
        (self.path, self.host) = (path, host)
        guard keeping else {
            size = nil
            held = stream
            return
        }
        let bytes = try InputPart.all(of: stream, path)
        kept = bytes
        size = bytes.count
    }

    /// The bytes of a range of the file; the part must be a file.
    func source(of range: Range<Int>) throws(ToolError) -> any ByteSource {
        let source = try ToolError.asking(
            to: .open, path, try host.open(path, from: range.lowerBound))
        return LimitedSource(source, range.count)
    }

    func source() throws(ToolError) -> any ByteSource {
        if let kept { return MemorySource(kept) }
        if let source = held {
            held = nil
            return source
        }
        let source = try ToolError.asking(to: .open, path, try host.source(of: path))
        return limit.map { LimitedSource(source, $0) } ?? source
    }

    /// The maximum number of bytes of one input to keep in memory.
    static let keptLimit = 1 << 30

    /// Reads a source to its end; more bytes than `limit` are an error that ends with `advice`.
    static func all(
        of source: any ByteSource, _ path: String, atMost limit: Int = keptLimit,
        advice: String = "write it to a file and name the file"
    ) throws(ToolError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count: Int
            do throws(ReadProblem) {
                count = try chunk.withUnsafeMutableBufferPointer { buffer throws(ReadProblem) in
                    try source.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
            } catch {
                throw .cannotRead(path, error)
            }
            if count == 0 { return bytes }
            guard count <= limit - bytes.count else { throw tooLarge(path, limit, advice) }
            let needed = bytes.count + count
            if needed > bytes.capacity {
                // In powers of two: a capacity just short of the limit would end as two copies.
                let power = 1 << (Int.bitWidth - (needed - 1).leadingZeroBitCount)
                bytes.reserveCapacity(min(power, limit))
            }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    private static func tooLarge(_ path: String, _ limit: Int, _ advice: String) -> ToolError {
        .noInput(
            "`\(path.escaped)` is too large to keep in memory: expected at most "
                + "\(limit.grouped) bytes; \(advice)")
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
