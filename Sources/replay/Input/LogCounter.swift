import Dispatch
import PurchaseEvents

/// What a log holds, counted.
struct LogStats {
    /// Its lines, by what they are.
    var counts = LineCounts()
    /// How many events there are of each type that there is, in the order of the format.
    var types: [(type: EventType, count: Int)] = []
    /// How many accounts and transactions are named.
    var accounts = 0, transactions = 0
    /// The least and the greatest time of recording.
    var from: Timestamp?, until: Timestamp?
}

/// Counts a log on many threads: counting asks for no order, so blocks are decoded as they come.
final class LogCounter {
    private let workers: [CountWorker]
    private let blocks: [Block]

    /// A counter that works on that many threads.
    init(threads: Int) {
        workers = (0..<threads).map { _ in CountWorker() }
        blocks = (0..<threads).map { _ in Block() }
    }

    /// Counts what a source has.
    func count(_ source: any ByteSource, _ progress: Progress?) throws(ReadProblem) {
        var isAtEnd = false
        var carried = CarriedLine()
        while !isAtEnd {
            var filled = 0
            while filled < blocks.count, !isAtEnd {
                isAtEnd = try blocks[filled].fill(from: source, after: &carried)
                filled += 1
            }
            let workers = workers
            let blocks = blocks
            DispatchQueue.concurrentPerform(iterations: filled) { index in
                workers[index].count(blocks[index])
            }
            progress?.show(counts)
        }
    }

    private var counts: LineCounts {
        workers.reduce(into: LineCounts()) { sum, worker in
            sum.lines += worker.counts.lines
            sum.bytes += worker.counts.bytes
            sum.events += worker.counts.events
            sum.notUnderstood += worker.counts.notUnderstood
            sum.blank += worker.counts.blank
        }
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
        let names = workers[0].decoder.names
        for worker in workers.dropFirst() { worker.addNames(to: names) }
        stats.accounts = names.count(of: .account)
        stats.transactions = names.count(of: .transaction)
        return stats
    }
}

/// Whole lines of a source.
///
/// It crosses threads only between being filled and being counted, never during either.
private final class Block: @unchecked Sendable {
    private static let size = 4 << 20
    private(set) var bytes: [UInt8] = []

    /// Reads lines up to a block's size; answers whether the source has ended.
    func fill(
        from source: any ByteSource, after carried: inout CarriedLine
    ) throws(ReadProblem) -> Bool {
        bytes = carried.bytes
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: Block.size))
        var filled = start
        var isAtEnd = false
        while filled < bytes.count, !isAtEnd {
            let result = bytes.withUnsafeMutableBytes { buffer in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                return Result { () throws(ReadProblem) in try source.read(into: rest) }
            }
            let count = try result.get()
            isAtEnd = count == 0
            filled += count
        }
        bytes.removeLast(bytes.count - filled)
        if carried.isCut {
            // The rest of a line that is too long already.
            let rest = bytes[start...].firstIndex(of: Block.endOfLine) ?? bytes.endIndex
            carried.isCut = rest == bytes.endIndex
            bytes.removeSubrange(start..<rest)
        }
        guard !isAtEnd else { return true }
        let end = bytes.lastIndex(of: Block.endOfLine).map { $0 + 1 } ?? 0
        carried.bytes = Array(bytes[end...].prefix(LineDecoder.maximumLineLength + 1))
        carried.isCut = carried.isCut || carried.bytes.count < bytes.count - end
        bytes.removeLast(bytes.count - end)
        return false
    }

    private static let endOfLine = UInt8(ascii: "\n")
}

/// The beginning of a line that a block left over.
private struct CarriedLine {
    /// Its bytes; of a line that is too long, as many as show that it is.
    var bytes: [UInt8] = []
    /// Whether the rest of the line is to be skipped.
    var isCut = false
}

/// Counts the lines of blocks, one block after the other; on one thread at a time.
private final class CountWorker: @unchecked Sendable {
    let decoder = LineDecoder()
    var counts = LineCounts()
    var types = [Int](repeating: 0, count: EventType.allCases.count)
    var from: Timestamp?, until: Timestamp?

    func count(_ block: Block) {
        block.bytes.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
                let length = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.count
                count(line: UnsafeRawBufferPointer(rebasing: rest[..<length]))
                start += length + 1
            }
            counts.bytes += bytes.count
        }
    }

    private func count(line: UnsafeRawBufferPointer) {
        counts.lines += 1
        switch decoder.decode(line) {
        case .event(let event):
            counts.events += 1
            types[Int(event.type.rawValue)] += 1
            if from.map({ event.at < $0 }) ?? true { from = event.at }
            if until.map({ event.at > $0 }) ?? true { until = event.at }
        case .notUnderstood: counts.notUnderstood += 1
        case .blank: counts.blank += 1
        }
    }

    /// Adds the accounts and transactions that it met to a table.
    func addNames(to names: NameTable) {
        decoder.names.forEach(AccountID<Interned>.self) { names.add($0) }
        decoder.names.forEach(TransactionID<Interned>.self) { names.add($0) }
    }
}

extension NameTable {
    fileprivate func forEach<Role>(
        _ role: Identifier<Role, Interned>.Type, _ body: (Identifier<Role, Written>) -> Void
    ) {
        for index in 0..<count(of: Role.role) {
            body(Identifier(text(of: role.init(Handle(rawValue: UInt32(index))))))
        }
    }

    fileprivate func add<Role>(_ name: Identifier<Role, Written>) { _ = intern(name) }
}
