import PurchaseEvents

/// A source of bytes that come in portions, as from a pipe.
final class ChoppedSource: ByteSource {
    private let bytes: [UInt8]
    private let portion: () -> Int
    private let failure: ReadProblem?
    private var position = 0

    /// Creates a source that returns up to `portion()` bytes at a time, at least one, and finally
    /// throws `failure` if there is one.
    init(_ bytes: [UInt8], failure: ReadProblem? = nil, _ portion: @escaping () -> Int) {
        self.bytes = bytes
        self.failure = failure
        self.portion = portion
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadProblem) -> Int {
        let left = bytes.count - position
        if left == 0, let failure { throw failure }
        let count = min(left, buffer.count, max(1, portion()))
        buffer.copyBytes(from: bytes[position..<position + count])
        position += count
        return count
    }
}
