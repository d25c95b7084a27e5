/// A source whose first bytes can be examined before they are read.
package final class ExaminedSource: ByteSource {
    /// The first bytes of the source, as far as ``examineMore(_:)`` was called.
    package private(set) var head: [UInt8] = []
    private let source: any ByteSource
    private var position = 0

    /// Creates a source of which nothing was examined yet.
    package init(_ source: any ByteSource) { self.source = source }

    /// Adds at most a number of bytes to the head; returns the new ones, none at the end.
    package func examineMore(_ most: Int) throws(ReadProblem) -> ArraySlice<UInt8> {
        var chunk = [UInt8](repeating: 0, count: most)
        // Typed throws don't pass through the closure over an array's bytes.
        let result = chunk.withUnsafeMutableBytes { bytes in
            Result { () throws(ReadProblem) in try source.read(into: bytes) }
        }
        let known = head.count
        head.append(contentsOf: chunk[..<(try result.get())])
        return head[known...]
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadProblem) -> Int {
        guard position < head.count else { return try source.read(into: buffer) }
        return buffer.takeBytes(of: head, from: &position)
    }
}
