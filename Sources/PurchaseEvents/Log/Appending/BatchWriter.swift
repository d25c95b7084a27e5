/// Builds a batch line by line; another thread seals the lines of a large batch in parallel.
///
/// The bytes are the same either way. When a request is rolled back or an `id` repeats, the writer
/// waits for the sealing thread and seals the rest of the batch itself.
struct BatchWriter: ~Copyable {
    /// A point of a batch to which it can be rolled back.
    struct Savepoint {
        fileprivate let lines: Int
        fileprivate let bytes: Int
        fileprivate let ids: Int
    }

    /// For fewer lines, waking another thread costs as much as it saves.
    static let parallelThreshold = 512
    /// The bytes reserved for each line: a typical line with its chain value and newline.
    private static let typicalLine = 384
    /// The maximum number of lines to reserve memory for in advance.
    private static let maxReserved = 1 << 14

    private let firstSeq: Int64
    private let isChained: Bool
    private(set) var count = 0
    /// The bytes of the lines, including chain values and newlines.
    private var size = 0
    private var ids: [Fingerprint: Int64] = [:]
    /// The `id`s in the order of their lines.
    private var idOrder: [Fingerprint] = []
    private var sealed: SealedLines
    private var sealer: (thread: SealingThread, next: UnsealedLines)?

    /// Creates an empty batch with room for `count` lines. From `parallelThreshold` on, another
    /// thread seals those of a chained log.
    init(
        nextSeq: Int64, chain: Chain?, expecting count: Int = 0,
        parallelThreshold: Int = BatchWriter.parallelThreshold,
        portion: Int = UnsealedLines.defaultSize
    ) {
        firstSeq = nextSeq
        isChained = chain != nil
        let room = min(count, BatchWriter.maxReserved)
        sealed = SealedLines(after: chain, expecting: room, bytes: room * BatchWriter.typicalLine)
        if isChained, count >= parallelThreshold {
            let thread = SealingThread(after: sealed, portion: portion)
            sealer = (thread, thread.begin())
            sealed = SealedLines(after: chain)
        }
    }

    var nextSeq: Int64 { firstSeq + Int64(count) }

    var savepoint: Savepoint { Savepoint(lines: count, bytes: size, ids: idOrder.count) }

    mutating func add(_ writer: borrowing MemberWriter, id: Fingerprint?) throws(WritingProblem) {
        let line = writer.written
        if sealer == nil {
            try sealed.add(line)
        } else {
            try Chain.check(line.count)
            sealer?.next.add(line)
            if sealer?.next.isFull == true { handOver() }
        }
        if let id, ids[id] == nil {
            ids[id] = Int64(size)
            idOrder.append(id)
        }
        size += SealedLines.size(of: line.count, isChained: isChained)
        count += 1
    }

    mutating func rollBack(to savepoint: Savepoint) {
        guard count > savepoint.lines else { return }
        joinSealer()
        sealed.keep(savepoint.lines)
        for id in idOrder[savepoint.ids...] { ids[id] = nil }
        idOrder.removeLast(idOrder.count - savepoint.ids)
        (count, size) = (savepoint.lines, savepoint.bytes)
    }

    mutating func line(withID fingerprint: Fingerprint) -> [UInt8]? {
        guard let offset = ids[fingerprint] else { return nil }
        joinSealer()
        return sealed.line(at: Int(offset))
    }

    consuming func finish() -> Batch {
        joinSealer()
        return Batch(firstSeq: firstSeq, lines: sealed, ids: ids)
    }

    private mutating func handOver() {
        guard let (thread, next) = sealer else { return }
        // Release the reference to the lines first, so that the other thread doesn't copy them.
        sealer = nil
        sealer = (thread, thread.take(next))
    }

    /// Passes the last lines to the sealing thread and waits; this writer seals any later ones.
    private mutating func joinSealer() {
        guard let (thread, next) = sealer else { return }
        sealer = nil
        if !next.isEmpty { _ = thread.take(next) }
        sealed = thread.finish()
    }
}
