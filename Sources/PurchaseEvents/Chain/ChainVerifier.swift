import Dispatch

/// Verifies the chain of a log in constant memory.
///
/// A log may span several files, read one after the other. Each line contains the chain value that
/// the next line starts from, so several threads can hash blocks of lines in parallel; the result
/// doesn't depend on the number of threads.
public final class ChainVerifier {
    /// The app and time of the log's first line, as in ``Checkpoint/origin``; `nil` if that line
    /// isn't `log.opened`.
    public private(set) var origin: String?
    private let expectation: ChainExpectation
    private let walkers: [BlockWalker]
    private let isParallel: Bool
    private var walk: ChainWalk
    private var hasBegun: Bool
    private var isUnchained = false
    /// Whether the input so far ends within a line.
    private var isTorn = false
    private var counts = LineCounts()

    /// Creates a verifier for one log.
    public convenience init(expecting expectation: ChainExpectation = .init(), threads: Int = 1) {
        self.init(from: Chain(), expecting: expectation, threads: threads)
    }

    /// Creates a verifier for the lines after a line that is known to be intact.
    init(from chain: Chain, expecting expectation: ChainExpectation, threads: Int) {
        self.expectation = expectation
        let targets = [expectation.checkpoint?.head, expectation.head].compactMap { $0 }
        walk = ChainWalk(from: chain, seeking: targets)
        hasBegun = chain.lines > 0
        isParallel = threads > 1
        // One walker more than a round needs, as a reserve.
        walkers = (0..<max(1, threads) * 4 + 1).map { _ in BlockWalker() }
    }

    /// The chain up to the last intact line.
    public var chain: Chain { walk.chain }

    package var isAtDamage: Bool { walk.problem != nil }

    /// The number of the next file's first line; an unfinished line at the end of the previous file
    /// counts.
    package var nextLine: Int {
        // Unchained lines aren't counted, because their only problem is reported at line 1.
        walk.chain.lines + (isTorn || isUnchained ? 2 : 1)
    }

    /// The number of the line with the expected chain value, or `nil` if no line has it.
    public var lineOfExpectedHead: Int? { expectation.head.flatMap { walk.line(of: $0) } }

    /// Reads one file of the log to its end or to the first damaged line.
    ///
    /// `progress` receives the counts of what was read. Throws ``ReadProblem`` if reading fails.
    public func read(
        _ source: any ByteSource, progress: (LineCounts) -> Void = { _ in }
    ) throws(ReadProblem) {
        let reader = BlockReader(source)
        while walk.problem == nil {
            let filled = try fill(from: reader)
            guard filled > 0 else { return }
            // More bytes follow a line without a newline, so the newline was lost.
            if isTorn { return walk.stop(at: .noEnd) }
            isTorn = walkers[filled - 1].isCut
            take(walkers[..<(isTorn ? filled - 1 : filled)])
            progress(counts)
        }
    }

    /// The verdict on everything read.
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

    /// Fills walkers with the next blocks; after a block that ends in a cut line, one more tells a
    /// line that is too long, and goes on there, from a torn one.
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
            // If a later line has a chain value, the first line has lost its own.
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

    private func begin(_ line: UnsafeRawBufferPointer) {
        hasBegun = true
        origin = Checkpoint.origin(firstLine: line)
        isUnchained = !ChainedLine.isFirst(line)
    }
}

/// A block of lines and the walk along it; used on one thread at a time.
private final class BlockWalker: @unchecked Sendable {
    let block = LineBlock()
    var walk = ChainWalk()

    /// The lines with their newlines; a line that is too long is cut and has none.
    var lines: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: block.storage[block.bytes])
    }

    /// Whether the last line has no newline: the file ends within it, or it is too long.
    var isCut: Bool { lines.last.map { $0 != UInt8(ascii: "\n") } ?? false }

    func run() { walk.take(lines: lines) }

    var firstLine: UnsafeRawBufferPointer? {
        lines.isEmpty ? nil : UnsafeRawBufferPointer(rebasing: lines.prefix { $0 != 0x0A })
    }

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
