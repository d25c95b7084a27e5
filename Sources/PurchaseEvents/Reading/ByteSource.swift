#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where a reader takes its bytes from: a file, a pipe, or memory.
public protocol ByteSource: AnyObject {
    /// Reads up to the buffer's size into it; 0 is the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadProblem) -> Int
}

/// A read that the system refused.
public struct ReadProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's error number.
    public let code: Int32

    /// The problem of an error number.
    public init(code: Int32) { self.code = code }

    /// The system's own words.
    public var description: String { String(cString: strerror(code)) }
}

/// The bytes of an open file descriptor, which the caller closes.
public final class DescriptorSource: ByteSource {
    private let descriptor: Int32

    /// The bytes from where the descriptor stands.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// Reads from the descriptor, again where a signal interrupted it.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadProblem) -> Int {
        while true {
            #if canImport(Darwin)
                let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #elseif canImport(Glibc)
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #else
                let count = Musl.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
            if count >= 0 { return count }
            guard errno == EINTR else { throw ReadProblem(code: errno) }
        }
    }
}

/// Bytes in memory.
public final class MemorySource: ByteSource {
    private let bytes: [UInt8]
    private var position = 0

    /// The bytes given.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Copies the next bytes.
    public func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, bytes.count - position)
        bytes.withUnsafeBytes { all in
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: all[position..<position + count]))
        }
        position += count
        return count
    }
}
