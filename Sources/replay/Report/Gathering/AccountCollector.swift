import PurchaseEvents

/// The lines of one account, as many as fit in a picture: first those of proofs, then those nearest
/// to a finding, or the earliest if there is none.
struct AccountCollector {
    /// A line of the log, kept until its words are needed.
    struct KeptLine {
        var number: Int
        var seq: Int64
        var at: Timestamp
        var type: EventType
        var bytes: [UInt8]
        /// The transaction or original that the event names.
        var transaction: TransactionHandle?
        var isAgain: Bool
        var environment: Environment
    }

    let account: AccountHandle?
    private let proofLines: [Int]
    private let limit: Int
    private(set) var kept: [KeptLine] = []
    /// The numbers of the kept lines; a line can arrive twice, because it may also be the context
    /// of another.
    private var numbers: Set<Int> = []
    /// The number of lines that belong to the account.
    private(set) var count = 0

    init(_ account: AccountHandle?, proofLines: Set<Int>, limit: Int) {
        self.account = account
        self.proofLines = proofLines.sorted()
        self.limit = max(limit, min(proofLines.count, limit * 2))
    }

    /// Adds a line; if there are too many, lines far from any finding are dropped.
    mutating func add(_ line: KeptLine) {
        guard numbers.insert(line.number).inserted else { return }
        count += 1
        kept.append(line)
        if kept.count >= limit * 2 { trim() }
    }

    mutating func trim() {
        guard kept.count > limit else { return }
        let ranked = kept.map { (distance(of: $0.number), $0.number) }.sorted { $0 < $1 }
        let wanted = Set(ranked.prefix(limit).map(\.1))
        kept.removeAll { !wanted.contains($0.number) }
        numbers = wanted
    }

    /// The distance of a line to the nearest line of a proof; without a proof, the line's number.
    private func distance(of number: Int) -> Int {
        guard !proofLines.isEmpty else { return number }
        let next = proofLines.lowerBound { $0 >= number }
        let after = next < proofLines.count ? proofLines[next] - number : Int.max
        let before = next > 0 ? number - proofLines[next - 1] : Int.max
        return min(after, before)
    }
}
