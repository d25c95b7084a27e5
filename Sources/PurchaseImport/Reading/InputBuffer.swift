import PurchaseEvents

/// The bytes of a source from a position on, as many as were asked for, and where in the file the
/// position is.
///
/// Memory: what lies between the position and the last byte that was read.
final class InputBuffer {
    /// The most bytes of one read.
    static let portion = 1 << 20
    /// The bytes of the first read; fewer, because most files are small.
    private static let firstPortion = 1 << 16

    private let source: any ByteSource
    /// The bytes from the position on.
    var rest: ArraySlice<UInt8> { bytes[position...] }
    /// The line and the byte of the position.
    private(set) var place = FilePlace()
    /// How many bytes of the source lie before the position.
    private(set) var passed = 0
    private var bytes: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    /// Takes the bytes of each read.
    private var room = [UInt8](repeating: 0, count: InputBuffer.firstPortion)

    init(_ source: any ByteSource) { self.source = source }

    /// How many bytes there are from the position on.
    var count: Int { bytes.count - position }

    /// The byte that lies so far behind the position, which is read where it must be; `nil` past
    /// the end.
    func byte(_ offset: Int = 0) throws(ReadProblem) -> UInt8? {
        while count <= offset {
            if try !readMore() { return nil }
        }
        return bytes[position + offset]
    }

    /// Reads more bytes; false at the end of the source.
    func readMore() throws(ReadProblem) -> Bool {
        guard !isAtEnd else { return false }
        if position > 0 {
            bytes.removeSubrange(..<position)
            position = 0
        }
        // Typed throws don't pass through the closure of an array's bytes.
        var result = Result<Int, ReadProblem>.success(0)
        room.withUnsafeMutableBytes { room in
            result = Result { () throws(ReadProblem) in try source.read(into: room) }
        }
        let read = try result.get()
        bytes += room[..<read]
        if read == room.count, read < InputBuffer.portion {
            room = [UInt8](repeating: 0, count: read * 2)
        }
        isAtEnd = read == 0
        return !isAtEnd
    }

    /// Looks at the bytes from the position on.
    func withBytes<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[position...])) }
    }

    /// Moves the position on.
    func advance(_ count: Int) {
        place = place.advanced(over: bytes[position..<position + count])
        position += count
        passed += count
    }

    /// Takes the next bytes.
    func take(_ count: Int) -> [UInt8] {
        defer { advance(count) }
        return Array(bytes[position..<position + count])
    }

    /// The bytes up to the end of the line that the position and so many bytes behind lie in, or up
    /// to a limit.
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
