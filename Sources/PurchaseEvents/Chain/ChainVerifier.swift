import Dispatch

/// Holds a log against its chain, in memory that doesn't grow with it.
///
/// The log may lie in several files, each continuing the one before: they are read one after the
/// other. Each line states the value that the next begins with, so blocks of lines are hashed on
/// as many threads as are wanted; which line is the first bad one doesn't depend on that.
public final class ChainVerifier {
    /// The app and the time of the log's first line, as a ``Checkpoint`` has them; `nil` where it
    /// is no `log.opened`.
    public private(set) var origin: String?
    private let expectation: ChainExpectation
    private let walkers: [BlockWalker]
    private let isParallel: Bool
    private var walk: ChainWalk
    private var hasBegun: Bool
    /// Whether no line so far has a chain value.
    private var isUnchained = false
    /// Whether what was read ends within a line.
    private var isTorn = false
    private var counts = LineCounts()

    /// A verifier of one log.
    public convenience init(expecting expectation: ChainExpectation = .init(), threads: Int = 1) {
        self.init(from: Chain(), expecting: expectation, threads: threads)
    }

    /// A verifier of what lies behind a line that is known to be well.
    init(from chain: Chain, expecting expectation: ChainExpectation, threads: Int) {
        self.expectation = expectation
        let sought = [expectation.checkpoint?.head, expectation.head].compactMap { $0 }
        walk = ChainWalk(from: chain, seeking: sought)
        hasBegun = chain.lines > 0
        isParallel = threads > 1
        // One more than are taken at a time, in reserve.
        walkers = (0..<max(1, threads) * 4 + 1).map { _ in BlockWalker() }
    }

    /// The chain up to the last line that is well.
    public var chain: Chain { walk.chain }

    /// Whether a line is damaged, so that nothing behind it is looked at.
    package var isAtDamage: Bool { walk.problem != nil }

    /// The line that the next file of the log begins with; one that the file before ends within
    /// counts too.
    package var nextLine: Int {
        // Unchained lines aren't counted: what is wrong with them is so in the first one.
        walk.chain.lines + (isTorn || isUnchained ? 2 : 1)
    }

    /// The line that has the chain value that was expected.
    public var lineOfExpectedHead: Int? { expectation.head.flatMap { walk.line(of: $0) } }

    /// Reads a file of the log to its end, or to the first line that is damaged.
    ///
    /// `progress` is told what was read. Throws ``ReadProblem`` where it can't be read.
    public func read(
        _ source: any ByteSource, progress: (LineCounts) -> Void = { _ in }
    ) throws(ReadProblem) {
        let reader = BlockReader(source)
        while walk.problem == nil {
            let filled = try fill(from: reader)
            guard filled > 0 else { return }
            // A line that is continued after its end of line went missing.
            if isTorn { return walk.stop(at: .noEnd) }
            isTorn = walkers[filled - 1].isCut
            take(walkers[..<(isTorn ? filled - 1 : filled)])
            progress(counts)
        }
    }

    /// What the log comes to.
    public func finish() -> ChainVerdict {
        let lines = walk.chain.lines
        let isFree = expectation == ChainExpectation()
        if isUnchained { return isFree ? .unchained : .rolledBack(.unchained) }
        if let problem = walk.problem { return .damaged(line: lines + 1, problem) }
        if lines == 0, !isTorn, isFree { return .unchained }
        if let rollback { return .rolledBack(rollback) }
        return isTorn ? .torn(line: lines + 1) : .intact
    }

    private var rollback: ChainVerdict.Rollback? {
        if let checkpoint = expectation.checkpoint {
            if walk.chain.lines < checkpoint.lines { return .shorter }
            if walk.line(of: checkpoint.head) != checkpoint.lines { return .otherHead }
            if checkpoint.origin != origin { return .otherOrigin }
        }
        if let head = expectation.head, walk.line(of: head) == nil { return .noSuchHead }
        return nil
    }

    // MARK: Blocks

    /// Fills walkers with the next blocks; how many of them.
    ///
    /// Of a line that is too long the end comes with the block behind it, and at the end of the
    /// file not at all: so where such a line would be the last, that block is read too.
    private func fill(from reader: BlockReader) throws(ReadProblem) -> Int {
        let reserve = walkers.count - 1
        var filled = 0
        while filled < reserve || filled == reserve && walkers[filled - 1].isCut,
            try reader.fill(walkers[filled].block)
        { filled += 1 }
        return filled
    }

    private func take(_ walkers: ArraySlice<BlockWalker>) {
        if !hasBegun, let first = walkers.lazy.compactMap(\.firstLine).first { begin(first) }
        for walker in walkers { counts.bytes += walker.lines.count }
        if isUnchained {
            // A chain value further on shows that the first line lost its own.
            guard walkers.contains(where: \.hasChainedLine) else { return }
            isUnchained = false
            return walk.stop(at: .noValue)
        }
        var head = walk.chain.head
        for walker in walkers {
            walker.walk = walk.beginning(at: head)
            head = walker.lastValue(after: head)
        }
        if isParallel, walkers.count > 1 {
            let walkers = Array(walkers)
            DispatchQueue.concurrentPerform(iterations: walkers.count) { walkers[$0].run() }
        } else {
            for walker in walkers { walker.run() }
        }
        for walker in walkers where walk.problem == nil { walk.join(walker.walk) }
        counts.events = walk.chain.lines
    }

    /// Looks at the first line of the log: it says whether the others are chained.
    private func begin(_ line: UnsafeRawBufferPointer) {
        hasBegun = true
        origin = Checkpoint.origin(firstLine: line)
        isUnchained = !ChainedLine.isFirst(line)
    }
}

/// A block of lines, and the walk along them; on one thread at a time.
private final class BlockWalker: @unchecked Sendable {
    let block = LineBlock()
    var walk = ChainWalk()

    /// The lines with their ends; one that is too long is cut and has none.
    var lines: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: block.storage[block.bytes])
    }

    /// Whether the last line has no end: the file ends within it, or it is too long and more of the
    /// file follows in another block.
    var isCut: Bool { lines.last.map { $0 != UInt8(ascii: "\n") } ?? false }

    func run() { walk.take(lines: lines) }

    /// The first line without its end; `nil` where there is none.
    var firstLine: UnsafeRawBufferPointer? {
        lines.isEmpty ? nil : UnsafeRawBufferPointer(rebasing: lines.prefix { $0 != 0x0A })
    }

    /// The value that the last line states; that before it where there is no line.
    func lastValue(after head: Digest) -> Digest {
        guard !lines.isEmpty else { return head }
        let whole = lines.last == 0x0A ? lines.dropLast() : lines[...]
        let start = whole.lastIndex(of: 0x0A).map { $0 + 1 } ?? whole.startIndex
        return ChainedLine(UnsafeRawBufferPointer(rebasing: whole[start...]))?.value ?? .zero
    }

    var hasChainedLine: Bool {
        var start = 0
        while start < lines.count {
            let end = lines.endOfLine(from: start) ?? lines.count
            if ChainedLine(UnsafeRawBufferPointer(rebasing: lines[start..<end])) != nil {
                return true
            }
            start = end + 1
        }
        return false
    }
}
