/// The blocks of one source, shared by several readers that don't depend on the order of lines;
/// only one at a time reads the source.
package final class SharedBlocks: @unchecked Sendable {
    /// Protects a placeholder: with a value of no size, the thread sanitizer would mistake the
    /// address of the enclosing object for the value's, and report a false race.
    private let lock = Protected(false)
    private let reader: BlockReader

    /// Creates the blocks of a source, which nothing else may read at the same time.
    package init(_ source: any ByteSource) { reader = BlockReader(source) }

    func fill(_ block: LineBlock) throws(ReadProblem) -> Bool {
        try lock.withLock { _ throws(ReadProblem) in try reader.fill(block) }
    }
}

extension LogReader {
    /// Reads blocks that no other reader has taken, until none is left; line numbers and notes
    /// about a line's position in the log have no meaning.
    package func read(_ blocks: SharedBlocks, _ visit: (ReadLines) -> Void) throws(ReadProblem) {
        let block = LineBlock(findsContent: false)
        while try blocks.fill(block) {
            decode(block) { lines in
                visit(lines)
                return lines.count
            }
        }
    }
}
