#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Cuts a source into blocks of whole lines, in memory that doesn't grow with the source.
///
/// A line longer than ``LineDecoder/maximumLineLength`` is not kept: its first bytes stand for
/// it, one more than a line may have, so that the decoder says `line-too-long`.
public final class BlockReader {
    /// The size of a block; a line fits many times over.
    public static let blockSize = 4 << 20

    private let source: any ByteSource
    private let storage: UnsafeMutableRawBufferPointer
    /// The bytes in the storage that no block has had yet.
    private var filled = 0
    private var isAtEnd = false
    /// Whether the rest of a line that is too long is being skipped.
    private var isSkipping = false

    /// A reader of a source, from where it stands.
    public init(_ source: any ByteSource) {
        self.source = source
        storage = .allocate(byteCount: BlockReader.blockSize, alignment: 16)
    }

    deinit { storage.deallocate() }

    /// Calls `body` with each line, without its end of line, and whether it has one.
    ///
    /// The bytes are valid only during the call. Where `body` answers `false`, reading stops.
    public func forEachLine(
        _ body: (UnsafeRawBufferPointer, _ isEnded: Bool) throws -> Bool
    ) throws {
        while !isAtEnd || filled > 0 {
            try fill()
            let taken = try takeLines(body)
            guard let taken else { return }
            keep(from: taken)
        }
    }

    private func fill() throws(ReadProblem) {
        while !isAtEnd, filled < storage.count {
            let count = try source.read(
                into: UnsafeMutableRawBufferPointer(rebasing: storage[filled...]))
            if count == 0 { isAtEnd = true }
            filled += count
            // What is there is worked on before a slow source is asked for more.
            if count > 0, filled > LineDecoder.maximumLineLength * 2 { return }
        }
    }

    /// Gives the lines of the storage; the first byte that isn't given yet, or `nil` to stop.
    private func takeLines(
        _ body: (UnsafeRawBufferPointer, Bool) throws -> Bool
    ) throws -> Int? {
        let bytes = UnsafeRawBufferPointer(rebasing: storage[0..<filled])
        var start = 0
        while let end = BlockReader.endOfLine(bytes, from: start) {
            if isSkipping {
                isSkipping = false
            } else {
                let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                guard try body(line, true) else { return nil }
            }
            start = end + 1
        }
        if isSkipping { return filled }
        let isTooLong = filled - start > LineDecoder.maximumLineLength
        guard isTooLong || (isAtEnd && start < filled) else { return start }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start..<filled])
        isSkipping = isTooLong
        let shown = rest.prefix(LineDecoder.maximumLineLength + 1)
        guard try body(UnsafeRawBufferPointer(rebasing: shown), isTooLong) else { return nil }
        return filled
    }

    private func keep(from start: Int) {
        let rest = filled - start
        if rest > 0, start > 0, let base = storage.baseAddress {
            memmove(base, base + start, rest)
        }
        filled = rest
    }

    @inline(__always)
    private static func endOfLine(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, 0x0A, bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
