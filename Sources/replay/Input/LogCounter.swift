import Dispatch
import PurchaseEvents

/// What `stats` says of a log.
struct LogStats {
    var counts = LineCounts()
    /// The number of events of each type that occurs, in the format's order.
    var types: [(type: EventType, count: Int)] = []
    /// The numbers of accounts and transactions that events name.
    var accounts = 0, transactions = 0
    var from: Timestamp?, until: Timestamp?

    /// Adds up the lines counted on several threads; names are counted apart.
    init(_ counted: [CountedLines], _ counts: LineCounts) {
        precondition(counts.addUp, "every line is an event, not understood, or blank")
        self.counts = counts
        let totals = EventType.allCases.map { type in
            (type, counted.reduce(0) { $0 + $1.types[Int(type.rawValue)] })
        }
        types = totals.filter { $0.1 > 0 }
        from = counted.compactMap(\.from).min()
        until = counted.compactMap(\.until).max()
    }

    init(_ counted: CountedLines, _ reader: LogReader) {
        self.init([counted], reader.counts)
        let names = reader.decoder.names
        accounts = names.count(of: .account) - counted.namesWithoutEvents.accounts.count
        transactions = names.count(of: .transaction) - counted.namesWithoutEvents.transactions.count
    }
}

/// Counts a log on several threads; the order of blocks doesn't matter, so each takes the next one.
final class LogCounter {
    private let workers: [CountWorker]

    init(threads: Int) { workers = (0..<threads).map { _ in CountWorker() } }

    func count(_ source: any ByteSource, _ progress: Progress?) throws(ReadProblem) {
        let blocks = SharedBlocks(source)
        let workers = workers
        let shared = progress.map { SharedProgress($0, counts) }
        let problem = Protected(ReadProblem?.none)
        DispatchQueue.concurrentPerform(iterations: workers.count) { index in
            do throws(ReadProblem) {
                try workers[index].count(blocks, shared)
            } catch {
                problem.withLock { $0 = error }
            }
        }
        if let problem = problem.withLock({ $0 }) { throw problem }
    }

    private var counts: LineCounts {
        workers.reduce(into: LineCounts()) { sum, worker in sum.add(worker.counts) }
    }

    /// The counts of all sources so far.
    func finish() -> LogStats {
        var stats = LogStats(workers.map(\.counted), counts)
        stats.accounts = nameCount(
            of: .account, but: workers.map(\.counted.namesWithoutEvents.accounts))
        stats.transactions = nameCount(
            of: .transaction, but: workers.map(\.counted.namesWithoutEvents.transactions))
        return stats
    }

    /// The number of different names of a role in events: for each worker, the names that no
    /// earlier worker has.
    ///
    /// - Parameter leftOut: For each worker, the handles of names that none of its events has.
    private func nameCount(of role: NameRole, but leftOut: [Set<Int>]) -> Int {
        let tables = zip(workers, leftOut).map { (names: $0.decoder.names, leftOut: $1) }
        return tables.indices.reduce(0) { sum, index in
            let (names, leftOut) = tables[index]
            let count = names.count(of: role)
            if index == 0 { return count - leftOut.count }
            let others = Array(tables[..<index])
            let portion = 1 << 12
            let portions = concurrentMap((count + portion - 1) / portion, threads: workers.count) {
                let handles = $0 * portion..<min(count, ($0 + 1) * portion)
                return names.count(of: role, in: handles, but: leftOut, missingIn: others)
            }
            return portions.reduce(sum, +)
        }
    }
}

/// One progress line for several threads.
private final class SharedProgress: @unchecked Sendable {
    /// The counts of all threads; the lock guards `progress` too.
    private let counts: Protected<LineCounts>
    private let progress: Progress

    init(_ progress: Progress, _ counts: LineCounts) {
        self.progress = progress
        self.counts = Protected(counts)
    }

    /// Adds the counts of a thread since its previous call, and shows the sum.
    func add(_ now: LineCounts, since before: LineCounts) {
        counts.withLock { counts in
            counts.add(now)
            counts.subtract(before)
            progress.show(counts)
        }
    }
}

/// Counts the lines of blocks on one thread.
private final class CountWorker: @unchecked Sendable {
    private let reader = LogReader(decoder: LineDecoder(names: NameTable(of: CountedLines.roles)))
    var decoder: LineDecoder { reader.decoder }
    var counts: LineCounts { reader.counts }
    private(set) var counted = CountedLines()

    func count(_ blocks: SharedBlocks, _ progress: SharedProgress?) throws(ReadProblem) {
        var counted = counted
        var shown = counts
        try reader.read(blocks) { lines in
            if let progress {
                progress.add(counts, since: shown)
                shown = counts
            }
            counted.observe(lines, decoder.names)
        }
        self.counted = counted
    }
}
