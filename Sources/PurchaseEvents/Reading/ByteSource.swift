#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A source of bytes for a reader: a file, a pipe, or memory.
public protocol ByteSource: AnyObject {
    /// Reads at most `buffer.count` bytes into the buffer and returns their number, 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadProblem) -> Int
}

extension ByteSource {
    /// Reads and returns at most a number of bytes, none at the end.
    package func bytes(atMost most: Int) throws(ReadProblem) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = try bytes.withUnsafeMutableBufferPointer { (room) throws(ReadProblem) in
            try read(into: UnsafeMutableRawBufferPointer(room))
        }
        bytes.removeLast(most - count)
        return bytes
    }
}

/// An error of the operating system while reading.
public struct ReadProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's error number.
    public let code: Int32

    /// Creates a problem from an error number.
    public init(code: Int32) { self.code = code }

    /// The system's message for the error number.
    public var description: String { String(cString: strerror(code)) }

    /// Repeats a call of the system that returns a count until no signal interrupts it.
    package static func retrying(_ call: () -> Int) throws(ReadProblem) -> Int {
        while true {
            let count = call()
            if count >= 0 { return count }
            guard errno == EINTR else { throw ReadProblem(code: errno) }
        }
    }
}

/// The system's `read`, which the methods of that name hide.
private func readBytes(_ descriptor: Int32, _ room: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, room.baseAddress, room.count)
}

/// The bytes of an open file descriptor, which the caller closes.
public final class DescriptorSource: ByteSource {
    private let descriptor: Int32

    /// Creates a source that starts at the descriptor's position.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// Reads from the descriptor; retries after a signal.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadProblem) -> Int {
        try ReadProblem.retrying { readBytes(descriptor, buffer) }
    }
}

/// Bytes in memory.
public final class MemorySource: ByteSource {
    private let bytes: [UInt8]
    private var position = 0

    /// Creates a source of the given bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Copies the next bytes into the buffer and returns their number, 0 at the end.
    public func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        buffer.takeBytes(of: bytes, from: &position)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Copies as many bytes from a position on as fit, moves it behind them, and returns how many.
    func takeBytes(of bytes: [UInt8], from position: inout Int) -> Int {
        let taken = position..<position + Swift.min(count, bytes.count - position)
        bytes.withUnsafeBytes { copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[taken])) }
        position = taken.upperBound
        return taken.count
    }
}
