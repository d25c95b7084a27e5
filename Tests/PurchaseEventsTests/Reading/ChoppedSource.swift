import PurchaseEvents

/// Bytes in memory that come in portions, as they do from a pipe.
final class ChoppedSource: ByteSource {
    private let bytes: [UInt8]
    private let portion: () -> Int
    private let failure: ReadProblem?
    private var position = 0

    /// A source that gives as many bytes at a time as `portion` says, at least one; in the end it
    /// fails where there is a failure.
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
