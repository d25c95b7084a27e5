import PurchaseEvents

/// A purchase is delivered to the account that paid, or that its subscription was moved to (G3.4,
/// I7).
///
/// A payment says who paid: the transaction's own or, for a renewal, that of its original or of
/// another purchase of its subscription. Without one, the account that the statements name should
/// be it, for a restored transaction the one that restored; a warning, because renewals may carry
/// the first account for ever. `restored-to-owner` judges what one account restores and another
/// owns.
struct DeliveredToPayer: CatalogueRule {
    static let level = Level.error
    static let statement =
        "The account that a purchase is delivered to is the account of its payment, or the one "
        + "that its line is linked to; where no payment is known, the one that the statements "
        + "about it name, which is a warning."
    static let evidence = ["G3.4", "I7"]
    static let reads = EventTypes(.deliveryDelivered, .queuePurchased)

    /// The accounts that paid for purchases of a subscription, and the last purchase that was
    /// looked at.
    private struct Payers: SnapshottedElement {
        var accounts: Set<AccountHandle> = []
        var latest: TransactionHandle?

        mutating func visitFields(_ visitor: FieldVisitor) {
            visitor.visit(&accounts).visit(&latest)
        }
    }

    /// The payers of subscriptions of which a renewal was delivered to another account, by
    /// original.
    private var payers: [TransactionHandle: Payers] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&payers) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .queuePurchased {
            if !payers.isEmpty { notePayer(event, facts) }
            return
        }
        guard let transaction = event.transaction, let account = event.account else { return }
        report.test()
        guard let payment = payment(of: transaction, facts), let payer = facts[payment].account
        else { return judgeStated(event, transaction, account, on: line, facts, &report) }
        guard payer != account else { return }
        if facts[transaction].isRestored, facts[transaction].account != payer { return }
        let linked = facts.subscription(of: transaction)
        if linked?.linkedAccount == account || isBeforeLink(event, linked) { return }
        if paidBefore(account, for: transaction, linked, facts) { return }
        let name = facts.name(transaction)
        // Events before the request cannot concern its purchase.
        let requested = facts[payment].requestedLine
        let reason =
            requested == 0 ? facts.incompleteReason : facts.incompleteReason(after: requested)
        if let reason { return report.cannotTell("who \(name) belongs to is unknown; \(reason)") }
        let (paid, given) = (facts.names.text(of: payer), facts.names.text(of: account))
        let asked = Finding.note(
            facts[payment].firstLine, "let \(facts.describe(payment)) be made")
        let moved = Finding.note(
            linked?.linkedLine ?? 0,
            "then its line was linked to account "
                + (linked?.linkedAccount.map { facts.names.text(of: $0) } ?? "unknown"))
        report.find(
            event, on: line, facts, account: payer, key: facts.text(transaction),
            "\(name) was delivered to account \(given): expected account \(paid), which paid",
            notes: asked + facts.stated(transaction) + moved,
            hint: "account \(paid) paid and another got it: look at who was signed in when the "
                + "transaction arrived, and deliver it to the payer")
    }

    /// Whether a delivery was recorded before the link that its line comes after, as in a log of
    /// several devices: whose the subscription was then is no longer told.
    private func isBeforeLink(_ event: LogEvent, _ linked: SubscriptionFacts?) -> Bool {
        linked.map { event.at < $0.linkedAt } ?? false
    }

    /// Judges a delivery by the account that the statements name, if no payment says who paid.
    private mutating func judgeStated(
        _ event: LogEvent, _ transaction: TransactionHandle,
        _ account: AccountHandle, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard let named = facts[transaction].account, named != account,
            facts.owner(of: transaction) != account,
            !isRestoredFromAnother(transaction, by: named, facts)
        else { return }
        let linked = facts.subscription(of: transaction)
        if linked?.linkedAccount == account || isBeforeLink(event, linked) { return }
        if paidBefore(account, for: transaction, linked, facts) { return }
        let name = facts.name(transaction)
        if let reason = facts.incompleteReason {
            return report.cannotTell("who \(name) belongs to is unknown; \(reason)")
        }
        let (stated, given) = (facts.names.text(of: named), facts.names.text(of: account))
        report.find(
            event, on: line, facts, level: .warning, account: named, key: facts.text(transaction),
            "\(name) was delivered to account \(given): expected account \(stated), which the "
                + "statements about it name",
            notes: facts.stated(transaction),
            hint: "look at who was signed in when the transaction arrived; a renewal may name the "
                + "account that subscribed first")
    }

    /// Whether an account restored what another owns: `restored-to-owner` judges whose it is.
    private func isRestoredFromAnother(
        _ transaction: TransactionHandle, by restorer: AccountHandle, _ facts: Facts
    ) -> Bool {
        guard facts[transaction].isRestored, let original = facts[transaction].original,
            let owner = facts.owner(of: original)
        else { return false }
        return owner != restorer
    }

    /// The payment of a transaction, or of the original that it renews or restores.
    private func payment(of transaction: TransactionHandle, _ facts: Facts) -> PaymentHandle? {
        facts[transaction].payment ?? facts[facts.original(of: transaction)].payment
    }

    /// Whether an account paid for another purchase of the subscription that a transaction renews.
    ///
    /// An account that subscribes again in another account's subscription also receives the
    /// renewals.
    private mutating func paidBefore(
        _ account: AccountHandle, for transaction: TransactionHandle,
        _ subscription: SubscriptionFacts?, _ facts: Facts
    ) -> Bool {
        guard facts[transaction].payment == nil, let subscription else { return false }
        var known = payers.removeValue(forKey: subscription.original) ?? Payers()
        if let latest = known.latest,
            facts[latest].periodOfSubscription != facts[subscription.original].subscriptionIndex
        {
            known.latest = nil
        }
        var next = subscription.lastTransaction
        while let other = next, other != known.latest {
            if let payer = DeliveredToPayer.payer(of: other, facts) { known.accounts.insert(payer) }
            next = facts[other].previousInSubscription
        }
        known.latest = subscription.lastTransaction
        defer { payers[subscription.original] = known }
        return known.accounts.contains(account)
    }

    /// Records who paid for a purchase that may have been looked at before it named a payment.
    private mutating func notePayer(_ event: LogEvent, _ facts: Facts) {
        guard let transaction = event.transaction,
            let subscription = facts.subscription(of: transaction),
            let payer = DeliveredToPayer.payer(of: transaction, facts)
        else { return }
        payers[subscription.original]?.accounts.insert(payer)
    }

    private static func payer(of transaction: TransactionHandle, _ facts: Facts) -> AccountHandle? {
        facts[transaction].payment.flatMap { facts[$0].account }
    }
}
