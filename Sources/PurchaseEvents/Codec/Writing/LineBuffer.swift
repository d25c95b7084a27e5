/// The bytes of a line being written, in memory that grows and has no bounds check for each byte.
package struct LineBuffer: ~Copyable {
    private var bytes: UnsafeMutablePointer<UInt8>
    /// The initial capacity fits an ordinary line.
    private var capacity = 1_024
    package private(set) var count = 0

    package init() { bytes = .allocate(capacity: capacity) }

    deinit { bytes.deallocate() }

    package var written: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes, count: count)
    }

    /// The address of the next byte, with room for `more`, which ``advance(by:)`` then counts.
    @inline(__always)
    mutating func room(for more: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity &- count < more { grow(more) }
        return bytes + count
    }

    /// Counts bytes that were written.
    @inline(__always)
    mutating func advance(by more: Int) {
        precondition(more <= capacity &- count, "only what has room is written")
        count &+= more
    }

    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        room(for: 1).pointee = byte
        count &+= 1
    }

    @inline(__always)
    package mutating func append(contentsOf more: UnsafeBufferPointer<UInt8>) {
        guard let start = more.baseAddress else { return }
        room(for: more.count).update(from: start, count: more.count)
        count &+= more.count
    }

    package mutating func append(_ text: String) { text.withTextBytes { append(contentsOf: $0) } }

    package mutating func removeAll() { count = 0 }

    @inline(never)
    private mutating func grow(_ more: Int) {
        let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2 + more)
        grown.update(from: bytes, count: count)
        bytes.deallocate()
        (bytes, capacity) = (grown, capacity * 2 + more)
    }
}
