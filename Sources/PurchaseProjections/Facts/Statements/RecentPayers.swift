import PurchaseEvents

/// The App Store accounts that paid last for one account (G3.5).
///
/// Keeps the latest payers, which decide whether a new one is the third within 30 days; more than
/// three only for payments whose times go back.
struct RecentPayers: Sendable, SnapshottedElement {
    /// A payer, its latest payment and the line that states it.
    struct Payer: Sendable {
        var payer: PayerHandle
        var at: Timestamp
        var line: LineNumber
    }

    private static let stretch = 30 * Timestamp.day
    private static let kept = 16
    private var latest: [Payer] = []

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&latest) }

    init() {}

    init(_ first: Payer) { latest = [first] }

    /// Records a payment.
    ///
    /// Returns two other payers that paid within one stretch of 30 days with it, unless its payer
    /// had paid within 30 days.
    mutating func add(_ payer: Payer) -> [Payer] {
        let isKnown = latest.contains { $0.payer == payer.payer && isNear($0.at, payer.at) }
        latest.removeAll { $0.payer == payer.payer }
        let others = latest
        latest.append(payer)
        if latest.count > RecentPayers.kept { latest.removeFirst() }
        guard !isKnown else { return [] }
        for (place, first) in others.enumerated() where isNear(first.at, payer.at) {
            for second in others[(place + 1)...]
            where isNear(second.at, payer.at) && isNear(first.at, second.at) {
                return [first, second]
            }
        }
        return []
    }

    private func isNear(_ one: Timestamp, _ other: Timestamp) -> Bool {
        one.distance(to: other).magnitude <= RecentPayers.stretch.magnitude
    }
}
