import PurchaseEvents
import PurchaseProjections
import PurchaseSimulation
import TestSupport
import Testing

/// If a purchase has several cancellation dates, the one with the greatest version holds at every
/// instant, whatever the order of the statements (event-log.md, 4).
struct OneDateTests {
    /// A statement about a purchase: a cancellation from a date on, or the reversal of one.
    private struct Statement {
        /// The cancellation date in hours; `nil` for a reversal.
        var date: Int64?
        /// The time of signing in hours, different for each statement.
        var version: Int64
        var fact: Fact<Written>
    }

    private static func hour(_ hours: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_767_225_600_000 + hours * Timestamp.hour)
    }

    private static let length: Int64 = 40

    private func statements(_ choices: any ChoiceSource) -> [Statement] {
        var versions = Array(1..<OneDateTests.length)
        return (0..<choices.number(in: 1...5)).map { _ in
            let version = versions.remove(at: Int(choices.choose(below: Int64(versions.count))))
            let date = choices.number(in: 0...OneDateTests.length)
            let at = OneDateTests.hour(date)
            switch choices.choose(below: 4) {
            case 0:
                return Statement(
                    date: date, version: version,
                    fact: .cancellationRefunded(.init(transaction: "l", cancelledAt: at)))
            case 1:
                return Statement(
                    date: date, version: version,
                    fact: .cancellationRevoked(.init(transaction: "l", cancelledAt: at)))
            case 2:
                return Statement(
                    date: date, version: version,
                    fact: .receiptListed(
                        .init(
                            transaction: "l", product: "level",
                            purchasedAt: OneDateTests.hour(0), cancelledAt: at)))
            default:
                return Statement(version: version, fact: .cancellationReversed(transaction: "l"))
            }
        }
    }

    /// The slow reference: takes the greatest version among all dates and the reversals stated by
    /// an instant. The purchase is cancelled if that one is a date in the past.
    private func isCancelled(_ statements: [Statement], at hours: Int64) -> Bool {
        let known = statements.filter { $0.date != nil || $0.version <= hours }
        guard let date = known.max(by: { $0.version < $1.version })?.date else { return false }
        return date <= hours
    }

    private func log(_ statements: [Statement]) -> [Event<Written>] {
        let purchase = ReceiptListed<Written>(
            transaction: "l", product: "level", purchasedAt: OneDateTests.hour(0))
        let facts: [(Fact<Written>, Int64)] =
            [
                (.logOpened(.init(schema: 1)), 0),
                (.catalogListed(.init(product: "level", kind: .nonConsumable)), 0),
                (.receiptListed(purchase), 0),
            ] + statements.map { ($0.fact, $0.version) }
        return facts.enumerated().map { index, one in
            Event(
                seq: Int64(index + 1), at: OneDateTests.hour(OneDateTests.length),
                signedAt: OneDateTests.hour(one.1), one.0)
        }
    }

    @Test func `of several cancellation dates one holds at every instant`() {
        expectHolds(
            "of several cancellation dates one holds at every instant", cases: propertyCases / 5
        ) { trial in
            var stated = statements(trial.choices)
            let orders = 3
            for _ in 0..<orders {
                for index in stated.indices.dropFirst() {
                    stated.swapAt(index, Int(trial.choices.choose(below: Int64(index + 1))))
                }
                let bytes = try log(stated).log()
                for hours in 0...OneDateTests.length {
                    let instant = OneDateTests.hour(hours)
                    let show = try Folding.show(bytes, asOf: instant)
                    let rows = show.rows(of: Entitlements.self)
                    let isOver = isCancelled(stated, at: hours)
                    trial.count(isOver ? "cancelled" : "not cancelled")
                    if rows.first?.isActive == isOver || rows.count != 1 {
                        return "\(hours) h: \(rows.map { RowJSON.text(of: $0.fields) }), "
                            + "expected it \(isOver ? "cancelled" : "active"): \(stated)"
                    }
                }
            }
            return nil
        }
    }

    @Test func `a later date of the same revocation takes the earlier one's place`() throws {
        let revoked = [("2026-04-03", "2026-07-29"), ("2026-06-21", "2026-10-17")].map {
            date, signed in
            Event<Written>(
                seq: 1, at: Timestamp(dayOrTime: "2026-12-01") ?? .latest,
                signedAt: Timestamp(dayOrTime: signed),
                .cancellationRevoked(
                    .init(
                        transaction: "l", cancelledAt: Timestamp(dayOrTime: date) ?? .latest)))
        }
        let events = log([]) + revoked
        for (instant, isActive) in [("2026-06-04", true), ("2026-07-01", false)] {
            let show = try Folding.show(
                events.log(), asOf: Timestamp(dayOrTime: instant))
            let row = try #require(show.rows(of: Entitlements.self).first)
            #expect(row.isActive == isActive)
            if !isActive { #expect(row.until == Timestamp(dayOrTime: "2026-06-21")) }
        }
    }
}
