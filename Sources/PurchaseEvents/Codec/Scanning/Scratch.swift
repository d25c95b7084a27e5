/// Memory for the unescaped strings of one line, which never need more bytes than the line has.
struct Scratch: ~Copyable {
    private let storage: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init() { storage = .allocate(byteCount: LineDecoder.maximumLineLength, alignment: 8) }

    deinit { storage.deallocate() }

    /// The bytes written so far; they don't move until the scratch is reset.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage)[0..<count])
    }

    mutating func append(_ byte: UInt8) {
        storage[count] = byte
        count += 1
    }

    mutating func append(_ bytes: some Sequence<UInt8>) { for byte in bytes { append(byte) } }

    mutating func cut(to count: Int) { self.count = count }

    /// Ends the string that began at a place with its length in two bytes. They fit: with its
    /// quotes, an escaped string is at least three bytes longer than its unescaped bytes.
    mutating func end(stringFrom start: Int) -> Int {
        let end = count
        append(UInt8(truncatingIfNeeded: end - start))
        append(UInt8(truncatingIfNeeded: (end - start) >> 8))
        return end
    }

    static func string(endingAt end: Int, in bytes: UnsafeRawBufferPointer)
        -> UnsafeRawBufferPointer
    {
        let count = Int(bytes[end]) | Int(bytes[end + 1]) << 8
        return UnsafeRawBufferPointer(rebasing: bytes[end - count..<end])
    }
}
