import PurchaseEvents
import PurchaseProjections

/// Whether a log shows that a transaction was delivered, and the lines that show it.
struct DeliveryJudgement {
    let status: ConsumptionBody.DeliveryStatus
    let reason: String
    let lines: [ConsumptionHistory.Entry]
    /// The units that the customer got; 1 for a product that isn't counted.
    let units: Int64

    private init(
        _ status: ConsumptionBody.DeliveryStatus, _ units: Int64, _ reason: String,
        _ lines: [ConsumptionHistory.Entry]
    ) { (self.status, self.units, self.reason, self.lines) = (status, units, reason, lines) }

    /// Judges the deliveries of a transaction; `use` is how much of a consumable was consumed, if
    /// known.
    static func of(
        _ transaction: TransactionHandle, _ history: ConsumptionHistory, _ use: PurchaseUse?
    ) -> DeliveryJudgement {
        let facts = history.facts
        let known = facts[transaction]
        let isCounted = facts.kind(of: transaction) == .consumable
        let wrong = history.deliveries.filter { $0.product != nil && $0.product != known.product }
        let astray = history.deliveries.filter(\.isMisdirected)
        let right = history.deliveries.filter {
            !$0.isMisdirected && ($0.product == nil || $0.product == known.product)
        }
        let lost = history.deliveries.count - right.count
        var units: Int64 = right.isEmpty ? 0 : 1
        if isCounted {
            // A delivery of the rest may be stated before the quantity.
            units = lost == 0 ? known.totalDelivered : right.reduce(0) { $0 &+ $1.units }
        }
        let expected = isCounted ? known.quantity : 1
        if let last = takenBack(transaction, history, use), !right.isEmpty {
            return .init(
                .other, 0, "the app delivered it and took it back, and it isn't refunded",
                right.map(\.entry) + [last])
        }
        if units >= expected, !right.isEmpty {
            let reason = isCounted ? "\(units) of \(expected) units were delivered" : "delivered"
            return .init(.delivered, units, reason, right.map(\.entry))
        }
        if let last = unanswered(history, right) {
            return .init(
                .serverOutage, units, "the server was unreachable, and nothing was delivered since",
                [last])
        }
        let failed = failedDownloads(history)
        if !failed.isEmpty {
            return .init(.qualityIssue, units, "a download failed and never finished", failed)
        }
        if !wrong.isEmpty {
            return .init(
                .wrongItem, units, "another product than the one bought was delivered",
                wrong.map(\.entry))
        }
        if units > 0 {
            return .init(
                .wrongItem, units, "only \(units) of \(expected) units were delivered",
                right.map(\.entry))
        }
        if !astray.isEmpty {
            return .init(
                .other, 0, "delivered to another account than the buyer's", astray.map(\.entry))
        }
        return undelivered(history)
    }

    /// The withdrawal after which nothing is left of a purchase that stays paid for, if any. One at
    /// the end of a period takes back nothing; a consumable of which something was used counts as
    /// delivered.
    private static func takenBack(
        _ transaction: TransactionHandle, _ history: ConsumptionHistory, _ use: PurchaseUse?
    ) -> ConsumptionHistory.Entry? {
        let known = history.facts[transaction]
        guard let last = history.withdrawals.last, known.refund == nil, (use?.consumed ?? 0) == 0
        else { return nil }
        switch last.reason {
        case .expired, .upgraded: return nil
        case .refunded, .revoked, .other: break
        }
        let isCounted = history.facts.kind(of: transaction) == .consumable
        let isLeft = isCounted ? known.deliveredQuantity > 0 : known.isDelivered
        return isLeft ? nil : last.entry
    }

    /// A validation that the server did not answer, with no answer and no delivery since.
    private static func unanswered(
        _ history: ConsumptionHistory, _ deliveries: [ConsumptionHistory.Delivery]
    ) -> ConsumptionHistory.Entry? {
        guard let last = history.validations.last, last.outcome == .unreachable,
            last.entry.line > deliveries.last?.entry.line ?? 0
        else { return nil }
        return last.entry
    }

    /// The failures of downloads that never finished.
    private static func failedDownloads(
        _ history: ConsumptionHistory
    ) -> [ConsumptionHistory.Entry] {
        let finished = Set(
            history.downloads.filter { $0.download.state == .finished }.map(\.download.download))
        return history.downloads.filter {
            $0.download.state == .failed && !finished.contains($0.download.download)
        }.map(\.entry)
    }

    private static func undelivered(_ history: ConsumptionHistory) -> DeliveryJudgement {
        if let last = history.validations.last(where: { $0.outcome != .unreachable }),
            last.outcome == .invalid
        {
            return .init(
                .other, 0, "the server found the purchase invalid, and nothing was delivered",
                [last.entry])
        }
        return .init(.other, 0, "no line delivers it", [history.stated].compactMap { $0 })
    }
}
