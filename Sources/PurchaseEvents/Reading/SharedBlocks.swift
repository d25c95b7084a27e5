/// The blocks of one source, shared by several readers that need no order.
///
/// The lock is held while a block is filled, so that the source has one reader at a time.
package final class SharedBlocks: @unchecked Sendable {
    /// Holds something: to what has no size, the thread sanitizer gives the place of its owner, and
    /// takes whoever comes to ask for the lock for one that touches it.
    private let lock = Protected(false)
    private let reader: BlockReader

    /// Creates blocks of a source, which no one else may read meanwhile.
    package init(_ source: any ByteSource) { reader = BlockReader(source) }

    /// Fills a block with the next whole lines; returns `false` at the end of the source.
    func fill(_ block: LineBlock) throws(ReadProblem) -> Bool {
        try lock.withLock { _ throws(ReadProblem) in try reader.fill(block) }
    }
}

extension LogReader {
    /// Reads blocks of which other readers read others, until none is left.
    ///
    /// Each reader counts its own lines, and notes nothing of a line's place in the log.
    package func read(
        _ blocks: SharedBlocks, _ visit: (ReadLines) -> Void
    ) throws(ReadProblem) {
        let block = LineBlock(findsStatements: false)
        while try blocks.fill(block) {
            decode(block) { lines in
                visit(lines)
                return lines.count
            }
        }
    }
}
