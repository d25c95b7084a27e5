import Dispatch
import PurchaseEvents

/// What a log holds, counted.
struct LogStats {
    /// Its lines, by what they are.
    var counts = LineCounts()
    /// How many events there are of each type that there is, in the order of the format.
    var types: [(type: EventType, count: Int)] = []
    /// How many accounts and transactions its events name.
    var accounts = 0, transactions = 0
    /// The least and the greatest time of recording.
    var from: Timestamp?, until: Timestamp?
}

/// Counts a log on many threads: counting asks for no order, so blocks are decoded as they come.
final class LogCounter {
    private let workers: [CountWorker]

    /// A counter that works on that many threads.
    init(threads: Int) { workers = (0..<threads).map { _ in CountWorker() } }

    /// Counts what a source has.
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

    /// What was counted.
    func finish() -> LogStats {
        var stats = LogStats()
        stats.counts = counts
        precondition(stats.counts.addUp, "every line is an event, not understood, or blank")
        let totals = EventType.allCases.map { type in
            (type, workers.reduce(0) { $0 + $1.types[Int(type.rawValue)] })
        }
        stats.types = totals.filter { $0.1 > 0 }
        stats.from = workers.compactMap(\.from).min()
        stats.until = workers.compactMap(\.until).max()
        stats.accounts = nameCount(of: .account, but: workers.map(\.eventless.accounts))
        stats.transactions = nameCount(
            of: .transaction, but: workers.map(\.eventless.transactions))
        return stats
    }

    /// How many names of a role the workers met in events: each one's, but those that one before it
    /// met.
    ///
    /// - Parameter eventless: the handles of each worker's names that it met in no event.
    private func nameCount(of role: NameRole, but eventless: [Set<Int>]) -> Int {
        let tables = zip(workers, eventless).map { (names: $0.decoder.names, leftOut: $1) }
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

/// The progress of several threads.
private final class SharedProgress: @unchecked Sendable {
    /// What all of them have counted; while it is locked, the progress may be used too.
    private let counts: Protected<LineCounts>
    private let progress: Progress

    init(_ progress: Progress, _ counts: LineCounts) {
        self.progress = progress
        self.counts = Protected(counts)
    }

    /// Shows what a thread has counted more than it had before.
    func add(_ now: LineCounts, since before: LineCounts) {
        counts.withLock { counts in
            counts.add(now)
            counts.subtract(before)
            progress.show(counts)
        }
    }
}

/// Counts lines of blocks; on one thread at a time.
private final class CountWorker: @unchecked Sendable {
    /// Only of accounts and transactions it is counted how many there are.
    private let reader = LogReader(
        decoder: LineDecoder(names: NameTable(of: [.account, .transaction])))
    var decoder: LineDecoder { reader.decoder }
    var counts: LineCounts { reader.counts }
    private(set) var types = [Int](repeating: 0, count: EventType.allCases.count)
    private(set) var from: Timestamp?, until: Timestamp?
    private(set) var eventless = EventlessNames()

    /// Counts blocks until none is left.
    func count(_ blocks: SharedBlocks, _ progress: SharedProgress?) throws(ReadProblem) {
        var types = types
        var from = from ?? Timestamp(milliseconds: .max)
        var until = until ?? Timestamp(milliseconds: .min)
        var shown = counts
        try reader.read(blocks) { lines in
            if let progress {
                progress.add(counts, since: shown)
                shown = counts
            }
            eventless.observe(lines, decoder.names)
            for line in lines {
                guard let event = line.eventPlace else { continue }
                types[Int(event.pointee.type.rawValue)] &+= 1
                let at = event.pointee.at
                if at < from { from = at }
                if at > until { until = at }
            }
        }
        self.types = types
        guard from <= until else { return }
        (self.from, self.until) = (from, until)
    }
}
