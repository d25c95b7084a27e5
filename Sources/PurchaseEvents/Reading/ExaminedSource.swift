/// A source whose first bytes can be examined before they are read.
package final class ExaminedSource: ByteSource {
    /// The first bytes of the source, as far as ``examineMore(_:)`` was called.
    package private(set) var head: [UInt8] = []
    private let source: any ByteSource
    private var position = 0

    package init(_ source: any ByteSource) { self.source = source }

    /// Adds at most a number of bytes to the head; returns the new ones, none at the end.
    package func examineMore(_ most: Int) throws(ReadProblem) -> ArraySlice<UInt8> {
        let known = head.count
        head += try source.bytes(atMost: most)
        return head[known...]
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadProblem) -> Int {
        guard position < head.count else { return try source.read(into: buffer) }
        return buffer.takeBytes(of: head, from: &position)
    }
}
