import PurchaseEvents

/// Reads ahead in a source and tracks the line and byte of a position. Memory: the bytes from it
/// on.
final class InputBuffer {
    static let portion = 1 << 20
    /// The bytes of the first read; fewer, because most files are small.
    private static let firstPortion = 1 << 16

    private let source: any ByteSource
    var rest: ArraySlice<UInt8> { bytes[position...] }
    private(set) var place = FilePlace()
    private(set) var passed = 0
    private var bytes: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var most = InputBuffer.firstPortion

    init(_ source: any ByteSource) { self.source = source }

    var count: Int { bytes.count - position }

    /// The byte at an offset from the position, or `nil` past the end; reads more if needed.
    func byte(_ offset: Int = 0) throws(ReadProblem) -> UInt8? {
        while count <= offset { if try !readMore() { return nil } }
        return bytes[position + offset]
    }

    /// Reads more bytes; returns false at the end of the source.
    func readMore() throws(ReadProblem) -> Bool {
        guard !isAtEnd else { return false }
        if position > 0 {
            bytes.removeSubrange(..<position)
            position = 0
        }
        let more = try source.bytes(atMost: most)
        bytes += more
        if more.count == most, most < InputBuffer.portion { most *= 2 }
        isAtEnd = more.isEmpty
        return !isAtEnd
    }

    func withBytes<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[position...])) }
    }

    func advance(_ count: Int) {
        place = place.advanced(over: bytes[position..<position + count])
        position += count
        passed += count
    }

    func take(_ count: Int) -> [UInt8] {
        defer { advance(count) }
        return Array(bytes[position..<position + count])
    }

    /// The number of bytes from the position to the first end of line at or after an offset, at
    /// most `limit`; reads more if needed.
    func lengthOfLine(from offset: Int = 0, limit: Int = .max) throws(ReadProblem) -> Int {
        var length = offset
        while true {
            let found = bytes[(position + length)...].firstIndex(of: UInt8(ascii: "\n"))
            if let found { return min(found - position, limit) }
            length = count
            if length >= limit { return limit }
            if try !readMore() { return length }
        }
    }
}
