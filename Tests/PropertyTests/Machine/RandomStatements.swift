import PurchaseEvents
import PurchaseSimulation

/// Random App Store statements about a few purchases, in any order: periods of one or several
/// lines, and non-consumables, including restores.
///
/// Each statement has a time of its own, so the times alone decide which of two statements counts.
/// Everything except ends lies before the log's events.
struct RandomStatements {
    let events: [Event<Written>]

    private static let periods: [TransactionID<Written>] = ["s0", "s1", "s2", "s3"]
    private static let purchases: [TransactionID<Written>] = ["l0", "l1", "l2"]

    init(_ choices: any ChoiceSource) {
        var maker = Maker(choices: choices)
        maker.add(.logOpened(.init(schema: 1)))
        for product: ProductID<Written> in ["news", "gold"] {
            maker.add(.catalogListed(.init(product: product, kind: .autoRenewable)))
        }
        maker.add(.catalogListed(.init(product: "level", kind: .nonConsumable)))
        choices.mark()
        for _ in 0..<choices.number(in: 1...24) {
            maker.addStatement()
            choices.mark()
        }
        events = maker.events
    }

    /// A number of hours after 2026-01-01.
    private static func hour(_ hours: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_767_225_600_000 + hours * Timestamp.hour)
    }

    private struct Maker {
        let choices: any ChoiceSource
        var events: [Event<Written>] = []
        private var state = PurchaseState<Written>()

        init(choices: any ChoiceSource) { self.choices = choices }

        /// Adds an event, unless the machine forbids it.
        mutating func add(
            _ fact: Fact<Written>, as account: AccountID<Written>? = nil,
            in environment: Environment? = nil, signedAt: Timestamp? = nil
        ) {
            let seq = Int64(events.count + 1)
            let event = Event(
                seq: seq, at: RandomStatements.hour(100).advanced(byMilliseconds: seq),
                account: account, environment: environment, signedAt: signedAt, fact)
            guard !state.forbids(event) else { return }
            state.evolve(event)
            events.append(event)
        }

        mutating func addStatement() {
            let signedAt = hour(from: 0, to: 99).advanced(byMilliseconds: Int64(events.count))
            add(
                fact(), as: choices.pick([nil, "alice", "bob"]),
                in: choices.pick([nil, nil, .sandbox, .xcode]), signedAt: signedAt)
        }

        private func hour(from first: Int64, to last: Int64) -> Timestamp {
            RandomStatements.hour(choices.number(in: first...last))
        }

        private func fact() -> Fact<Written> {
            switch choices.choose(below: 4) {
            case 0: period()
            case 1: purchase()
            case 2: cancellation()
            default: lineStatement()
            }
        }

        /// A statement of a period; the starts of different transactions differ.
        private func period() -> Fact<Written> {
            let place = choices.choose(below: 4)
            let id = RandomStatements.periods[Int(place)]
            let original: TransactionID<Written>? =
                place == 0 ? nil : choices.pick(["s0", "s0", nil])
            let product: ProductID<Written> = choices.pick(["news", "gold"])
            let start = hour(from: place * 10, to: place * 10 + 3)
            let end: Timestamp? = choices.pick([hour(from: 60, to: 200), nil])
            switch choices.choose(below: 4) {
            case 0:
                return .receiptListed(
                    .init(
                        transaction: id, original: original, product: product,
                        purchasedAt: start, expiresAt: end))
            case 1:
                return .queuePurchased(
                    .init(
                        transaction: id, original: original, product: product,
                        purchasedAt: start, expiresAt: end))
            case 2:
                return .queueRestored(
                    .init(
                        transaction: id, original: original ?? "s0", product: product,
                        purchasedAt: start, expiresAt: end))
            default:
                return .receiptListed(
                    .init(
                        transaction: id, original: original, product: product,
                        purchasedAt: start, expiresAt: end,
                        cancelledAt: hour(from: 45, to: 59),
                        upgraded: choices.pick([true, false, nil])))
            }
        }

        private func purchase() -> Fact<Written> {
            let place = choices.choose(below: 3)
            let id = RandomStatements.purchases[Int(place)]
            let original: TransactionID<Written>? = place == 0 ? nil : choices.pick(["l0", nil])
            let date = hour(from: 0, to: 40)
            switch choices.choose(below: 3) {
            case 0:
                return .receiptListed(
                    .init(
                        transaction: id, original: original, product: "level",
                        purchasedAt: date))
            case 1:
                return .queuePurchased(
                    .init(
                        transaction: id, original: original, product: "level",
                        purchasedAt: date))
            default:
                return .queueRestored(
                    .init(
                        transaction: id, original: "l0", product: "level",
                        purchasedAt: date))
            }
        }

        private func cancellation() -> Fact<Written> {
            let all = RandomStatements.periods + RandomStatements.purchases
            let id = choices.pick(all)
            switch choices.choose(below: 3) {
            case 0:
                return .cancellationRefunded(
                    .init(transaction: id, cancelledAt: hour(from: 45, to: 59)))
            case 1:
                return .cancellationRevoked(
                    .init(transaction: id, cancelledAt: hour(from: 45, to: 59)))
            default: return .cancellationReversed(transaction: id)
            }
        }

        private func lineStatement() -> Fact<Written> {
            let original: TransactionID<Written> = choices.pick(["s0", "s0", "s1", "l0"])
            let end = hour(from: 60, to: 200)
            switch choices.choose(below: 6) {
            case 0: return .renewalExtended(.init(original: original, expiresAt: end))
            case 1:
                return .renewalExtended(
                    .init(
                        original: "s0", transaction: choices.pick(RandomStatements.periods),
                        expiresAt: end))
            case 2: return .renewalFailed(.init(original: original, graceExpiresAt: end))
            case 3: return .renewalGraceExpired(original: original)
            case 4:
                return .renewalExpired(
                    .init(
                        original: original, expiresAt: choices.pick([nil, end]),
                        reason: .billing))
            default: return .accountLinked(.init(original: original))
            }
        }
    }
}
