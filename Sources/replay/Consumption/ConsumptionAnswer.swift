import PurchaseEvents
import PurchaseProjections

/// The answer to a refund request, each value with what it rests on.
struct ConsumptionAnswer {
    /// What the person who answers decides.
    struct Choices: Hashable {
        var hasSampleContent = false
        /// The share that was consumed, in thousandths of a percent; `nil` if not given.
        var consumed: Int64?
        var preference: ConsumptionBody.RefundPreference?
    }

    /// A value of the body, with what it rests on.
    struct Value {
        var key: String
        /// The value for a reader; `nil` if it is left out.
        var text: String?
        var reason: String
        var lines: [ConsumptionHistory.Entry] = []
        var linesLeftOut = 0
    }

    let body: ConsumptionBody
    let values: [Value]

    /// Answers for a transaction, or throws what Apple would refuse.
    init(
        _ transaction: TransactionHandle, _ history: ConsumptionHistory, _ choices: Choices
    ) throws(UsageError) {
        let facts = history.facts
        let kind = facts.kind(of: transaction)
        let use = history.consumed.use(of: transaction, facts, asOf: facts.greatestAt ?? .earliest)
        let delivery = DeliveryJudgement.of(transaction, history, use)
        let share = try ConsumptionAnswer.share(kind, delivery, use, history, choices)
        let preference = try ConsumptionAnswer.preference(kind, delivery, share.number, choices)
        body = ConsumptionBody(
            consumptionPercentage: share.number, deliveryStatus: delivery.status,
            refundPreference: preference.preference,
            sampleContentProvided: choices.hasSampleContent)
        values = [
            Value(
                key: "customerConsented", text: "true",
                reason: "--consented says that the customer agreed"),
            share.value,
            Value(
                key: "deliveryStatus", text: delivery.status.rawValue, reason: delivery.reason,
                lines: delivery.lines),
            Value(
                key: "refundPreference", text: preference.preference?.rawValue,
                reason: preference.reason),
            Value(
                key: "sampleContentProvided", text: String(choices.hasSampleContent),
                reason: choices.hasSampleContent
                    ? "--sample-content says that there was something to try"
                    : "--sample-content isn't given"),
        ]
    }

    private typealias Share = (number: Int64?, value: Value)

    private static func share(
        _ kind: ProductKind?, _ delivery: DeliveryJudgement, _ use: PurchaseUse?,
        _ history: ConsumptionHistory, _ choices: Choices
    ) throws(UsageError) -> Share {
        func share(
            _ number: Int64?, _ reason: String, _ uses: ConsumptionLines.Uses? = nil
        ) -> Share {
            let value = Value(
                key: "consumptionPercentage", text: number.map { ConsumptionBody.words($0) },
                reason: reason, lines: uses?.latest ?? [],
                linesLeftOut: uses.map { $0.count - $0.latest.count } ?? 0)
            return (number, value)
        }
        if kind == .autoRenewable {
            guard choices.consumed == nil else {
                throw UsageError(
                    "`--consumed` doesn't go with an auto-renewable subscription: the App Store "
                        + "knows how much of the period is over, and refuses a percentage")
            }
            return share(nil, "the App Store knows how much of a subscription's period is over")
        }
        if delivery.status != .delivered {
            if let consumed = choices.consumed, consumed > 0 {
                throw UsageError(
                    "`--consumed=\(consumed)`: the App Store takes only 0 for a purchase that "
                        + "wasn't delivered, and the log says \(delivery.status.rawValue): "
                        + delivery.reason)
            }
            guard kind == .consumable || choices.consumed != nil else {
                return share(nil, "not delivered, so there is nothing to use up")
            }
            return share(0, "the App Store takes only 0 for what wasn't delivered")
        }
        guard kind == .consumable, let use, use.delivered > 0 else {
            if let consumed = choices.consumed {
                return share(consumed, "--consumed says so; the log doesn't say how much was used")
            }
            return share(nil, "the log doesn't say how much was used; --consumed=N does")
        }
        let uses = history.uses.uses(of: use.product, by: use.account, inAll: use.consumedOfAll)
        let number = percentage(use)
        if let consumed = choices.consumed {
            let other = ConsumptionBody.words(number)
            return share(consumed, "--consumed says so; by the log it would be \(other)", uses)
        }
        return share(number, words(use), uses)
    }

    /// The consumed share of a purchase: rounded down, but 0 only if nothing was consumed.
    private static func percentage(_ use: PurchaseUse) -> Int64 {
        guard use.consumed > 0 else { return 0 }
        let share = Int128(use.consumed) * Int128(ConsumptionBody.whole) / Int128(use.delivered)
        return Int64(clamping: max(1, min(share, Int128(ConsumptionBody.whole))))
    }

    private static func words(_ use: PurchaseUse) -> String {
        let own = "\(use.consumed) of \(use.delivered) delivered units were consumed"
        guard use.purchases > 1 else { return own }
        return "\(own): the account bought the product \(use.purchases) times and consumed "
            + "\(use.consumedOfAll) in all, and what was delivered first is used first"
    }

    private static func preference(
        _ kind: ProductKind?, _ delivery: DeliveryJudgement, _ share: Int64?, _ choices: Choices
    ) throws(UsageError) -> (preference: ConsumptionBody.RefundPreference?, reason: String) {
        if let chosen = choices.preference {
            if chosen == .grantProrated { try expectProratable(kind, delivery, share) }
            return (chosen, "--prefer says so")
        }
        guard delivery.status == .delivered else {
            if delivery.units == 0 { return (.grantFull, "nothing was delivered") }
            return (nil, "a part was delivered: --prefer decides")
        }
        guard let share else { return (nil, "nothing says how much was used: --prefer decides") }
        if share == 0 { return (nil, "delivered, and nothing of it used: --prefer decides") }
        if share == ConsumptionBody.whole { return (.decline, "all of it was used") }
        return (.grantProrated, "a part of it was used")
    }

    /// Throws if Apple refuses a refund in proportion.
    private static func expectProratable(
        _ kind: ProductKind?, _ delivery: DeliveryJudgement, _ share: Int64?
    ) throws(UsageError) {
        guard kind != .autoRenewable else { return }
        let option = "`--prefer=\(ConsumptionBody.RefundPreference.grantProrated.rawValue)`"
        if delivery.status != .delivered {
            throw UsageError(
                "\(option) needs a delivered purchase, and the log says "
                    + "\(delivery.status.rawValue): \(delivery.reason)")
        }
        guard let share else {
            throw UsageError("\(option) needs a consumption percentage: add --consumed=N")
        }
        if share == 0 || share == ConsumptionBody.whole {
            throw UsageError(
                "\(option) needs a consumption percentage above 0 and below "
                    + "\(ConsumptionBody.whole), seen \(share)")
        }
    }
}
