/// The unescaped bytes of a line's strings: never more than the line has.
struct Scratch: ~Copyable {
    private let storage: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init() {
        storage = .allocate(byteCount: LineDecoder.maximumLineLength, alignment: 8)
    }

    deinit { storage.deallocate() }

    /// The bytes so far; they stay where they are until the scratch is reset.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage)[0..<count])
    }

    mutating func append(_ byte: UInt8) {
        storage[count] = byte
        count += 1
    }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { append(byte) }
    }

    mutating func cut(to count: Int) { self.count = count }

    /// Ends a string that begins at a place: its length stands behind it. An escaped string is at
    /// least three bytes shorter than what stands for it, so there is room.
    mutating func end(stringFrom start: Int) -> Int {
        let end = count
        append(UInt8(truncatingIfNeeded: end - start))
        append(UInt8(truncatingIfNeeded: (end - start) >> 8))
        return end
    }

    /// The string in a scratch that ends at a place.
    static func string(endingAt end: Int, in bytes: UnsafeRawBufferPointer)
        -> UnsafeRawBufferPointer
    {
        let count = Int(bytes[end]) | Int(bytes[end + 1]) << 8
        return UnsafeRawBufferPointer(rebasing: bytes[end - count..<end])
    }
}
