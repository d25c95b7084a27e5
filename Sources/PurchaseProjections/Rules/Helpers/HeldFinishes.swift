import PurchaseEvents

/// Finishes that came before a step that must precede them, held while another recorder may still
/// say that it took the step, or that nothing was owed.
///
/// In a merged log the order of two recorders is known only up to their clocks. So a finish that
/// names a device is held until the first such step of its transaction, until its device finishes
/// something or takes such a step more than five minutes later, until another recorder states what
/// frees the app of the step, or until the end of the log. Costs memory for held finishes only, and
/// the logarithm of their number for each.
struct HeldFinishes: Snapshotted, Sendable {
    /// By how much the clocks of two recorders may differ, in milliseconds.
    static let skew = 5 * Timestamp.minute

    /// The types of the statements that may free an app of a step: the purchase was refunded, or
    /// another plan replaced it.
    static let freeing = EventTypes(
        .queuePurchased, .receiptListed, .renewalStarted, .renewalRenewed, .cancellationRefunded,
        .cancellationRevoked)
    /// The most finishes or withdrawals of one subscription that a statement may explain.
    static let most = 16

    struct Finish: BitwiseCopyable {
        var transaction: TransactionHandle
        /// The original that the transaction named at the finish, or the transaction itself.
        var original: TransactionHandle
        var account: AccountHandle?
        var device: DeviceHandle?
        var environment: Environment
        var at: Timestamp
        var line: LineNumber
        /// The line of a step that did precede the finish; 0 if there is none.
        var earlierLine: LineNumber = 0
        var isNote: Bool
    }

    /// The held finishes by line, and their lines by transaction, by original and by device.
    private var finishes: [LineNumber: Finish] = [:]
    private var lines: [TransactionHandle: [LineNumber]] = [:]
    private var families: [TransactionHandle: [LineNumber]] = [:]
    private var queues: [DeviceHandle: EarliestQueue] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&finishes).visit(&lines).visit(&families).visit(&queues)
    }

    /// Holds a finish; returns `false` if nothing is to be awaited: it names no device, or the log
    /// is no merged one.
    mutating func hold(_ finish: Finish, _ facts: Facts) -> Bool {
        guard let device = finish.device, !facts.isChained else { return false }
        finishes[finish.line] = finish
        lines[finish.transaction, default: []].append(finish.line)
        families[finish.original, default: []].append(finish.line)
        queues[device, default: EarliestQueue()].add(finish.line, at: finish.at.milliseconds)
        return true
    }

    /// Removes the finishes that an event decides, and returns those that certainly lacked the
    /// step; of the others, the rule can't tell.
    ///
    /// - Parameter done: What the step made of the transaction.
    mutating func taken(
        by event: LogEvent, _ done: String, _ facts: Facts, _ report: inout Report
    ) -> [Finish] {
        guard !finishes.isEmpty else { return [] }
        var certain: [Finish] = []
        let end = event.at.advanced(byMilliseconds: -HeldFinishes.skew)
        if let device = event.device {
            while let line = queues[device]?.next(upTo: end.milliseconds &- 1) {
                if let finish = remove(line) { certain.append(finish) }
            }
        }
        guard event.type != .queueFinished, let transaction = event.transaction else {
            return certain
        }
        for line in lines.removeValue(forKey: transaction) ?? [] {
            guard let finish = remove(line) else { continue }
            if finish.device == event.device || finish.at < end {
                certain.append(finish)
            } else {
                let name = facts.name(transaction)
                report.cannotTell(
                    "another recorder says that \(name) was \(done) within five minutes after its "
                        + "finish, and their clocks may differ by as much")
            }
        }
        return certain
    }

    /// Removes the finishes that a statement of another recorder may have freed; of those, the rule
    /// can't tell.
    mutating func free(by event: LogEvent, _ facts: Facts, _ report: inout Report) {
        guard !finishes.isEmpty, let stated = event.transaction else { return }
        let end = event.at.advanced(byMilliseconds: -HeldFinishes.skew)
        let original = facts.original(of: stated)
        while let last = families[original]?.last, finishes[last] == nil {
            families[original]?.removeLast()
        }
        let own = lines[stated]?.suffix(HeldFinishes.most) ?? []
        for line in own + (families[original]?.suffix(HeldFinishes.most) ?? []) {
            guard let finish = finishes[line], finish.device != event.device, finish.at >= end,
                Finishing.owesNothing(
                    finish.transaction, on: finish.device, at: finish.at, in: finish.environment,
                    facts)
            else { continue }
            _ = remove(line)
            report.cannotTell(
                "another recorder says within five minutes after the finish of "
                    + "\(facts.name(finish.transaction)) why nothing was owed for it, and their "
                    + "clocks may differ by as much")
        }
    }

    private mutating func remove(_ line: LineNumber) -> Finish? {
        guard let finish = finishes.removeValue(forKey: line) else { return nil }
        if lines[finish.transaction]?.count == 1 { lines[finish.transaction] = nil }
        if families[finish.original]?.count == 1 { families[finish.original] = nil }
        return finish
    }

    /// The finishes that nothing decided, by line.
    var all: [Finish] { finishes.values.sorted { $0.line < $1.line } }
}
