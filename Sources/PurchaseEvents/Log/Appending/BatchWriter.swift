/// Makes a batch, line by line; of a large one, another thread seals the lines meanwhile.
///
/// The bytes are the same either way. Whatever is out of the ordinary, lines that are taken back or
/// one whose `id` comes again, waits for that thread, and the rest does without it.
struct BatchWriter: ~Copyable {
    /// How far a batch had come when it was asked.
    struct Place {
        fileprivate let lines: Int
        fileprivate let bytes: Int
    }

    /// So many lines are worth another thread: of fewer, waking it costs about what it saves.
    static let large = 512
    /// Room for an ordinary line, its end and its chain value.
    private static let usualLine = 384
    /// The most lines that room is made for before they are there.
    private static let mostExpected = 1 << 14

    private let firstSeq: Int64
    private let isChained: Bool
    /// How many lines there are, sealed or not.
    private(set) var count = 0
    /// How many bytes they take in the log.
    private var size = 0
    private var ids: [Fingerprint: [Int64]] = [:]
    /// All lines, while this thread seals them.
    private var sealed: SealedLines
    /// What seals them, and the lines that it gets next.
    private var other: (thread: SealingThread, next: UnsealedLines)?

    /// An empty batch, with room for about so many lines, which another thread seals where there
    /// are as many as are `large`.
    init(
        nextSeq: Int64, chain: Chain?, expecting count: Int = 0, large: Int = BatchWriter.large,
        portion: Int = UnsealedLines.usualSize
    ) {
        firstSeq = nextSeq
        isChained = chain != nil
        let room = min(count, BatchWriter.mostExpected)
        sealed = SealedLines(
            after: chain, expecting: room, bytes: room * BatchWriter.usualLine)
        if isChained, count >= large {
            let thread = SealingThread(behind: sealed, portion: portion)
            other = (thread, thread.begin())
            sealed = SealedLines(after: chain)
        }
    }

    /// The `seq` that the next new line gets.
    var nextSeq: Int64 { firstSeq + Int64(count) }

    /// How far it has come.
    var place: Place { Place(lines: count, bytes: size) }

    /// Takes the line that a writer wrote, and gives it its chain value where the log is chained.
    mutating func add(_ writer: borrowing LineWriter, id: Fingerprint?) throws(WritingProblem) {
        let line = writer.written
        if other == nil {
            try sealed.add(line)
        } else {
            try Chain.check(line.count)
            other?.next.add(line)
            if other?.next.isFull == true { handOver() }
        }
        if let id { ids[id, default: []].append(Int64(size)) }
        size += SealedLines.size(of: line.count, isChained: isChained)
        count += 1
    }

    /// Takes back what came behind a place.
    mutating func takeBack(to place: Place) {
        guard count > place.lines else { return }
        goOnAlone()
        sealed.keep(place.lines)
        let kept = Int64(place.bytes)
        ids = ids.mapValues { $0.filter { $0 < kept } }.filter { !$0.value.isEmpty }
        (count, size) = (place.lines, place.bytes)
    }

    /// The lines that may have an `id` of that fingerprint.
    mutating func lines(withID fingerprint: Fingerprint) -> [[UInt8]] {
        guard let offsets = ids[fingerprint] else { return [] }
        goOnAlone()
        return offsets.map { sealed.line(at: Int($0)) }
    }

    /// All lines.
    consuming func finish() -> Batch {
        goOnAlone()
        return Batch(firstSeq: firstSeq, sealed, ids: ids)
    }

    private mutating func handOver() {
        guard let (thread, next) = other else { return }
        // Nothing is held here of what the other thread gets, so that it needn't copy it.
        other = nil
        other = (thread, thread.take(next))
    }

    /// Has the other thread end what it has, and seals the rest on this one.
    private mutating func goOnAlone() {
        guard let (thread, next) = other else { return }
        other = nil
        if !next.isEmpty { _ = thread.take(next) }
        sealed = thread.finish()
    }
}
