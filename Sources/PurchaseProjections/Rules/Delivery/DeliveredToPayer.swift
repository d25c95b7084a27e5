import PurchaseEvents

/// A purchase is delivered to the account that paid, or that its line was moved to (G3.4, I7).
///
/// Only a payment says who paid: the transaction's own or, for a renewal, that of its original or
/// of another purchase of its line. A purchase without a payment, or whose payment names no
/// account, is not judged. `restored-to-owner` checks who may restore.
struct DeliveredToPayer: CatalogueRule {
    static let id = "delivered-to-payer"
    static let level = Level.error
    static let statement =
        "The account that a purchase is delivered to is the account of its payment, or the one "
        + "that its line is linked to."
    static let evidence = ["G3.4", "I7"]
    static let reads = EventTypes(.deliveryDelivered)

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard let transaction = event.transaction, let account = event.account else { return }
        report.test()
        guard let payment = payment(of: transaction, facts),
            let payer = facts[payment].account, payer != account
        else { return }
        if facts[transaction].isRestored, facts[transaction].account != payer { return }
        let linked = facts.line(of: transaction)
        if linked?.linkedAccount == account { return }
        if paidBefore(account, for: transaction, linked, facts) { return }
        let name = DeliveryPhrases.name(transaction, facts)
        // Events before the request cannot concern its purchase.
        let requested = facts[payment].requestedLine
        let reason =
            requested == 0 ? facts.incompleteReason : facts.incompleteReason(after: requested)
        if let reason {
            return report.cannotTell("who \(name) belongs to is unknown; \(reason)")
        }
        let (paid, given) = (facts.names.text(of: payer), facts.names.text(of: account))
        let asked = DeliveryPhrases.note(
            facts[payment].firstLine,
            "let \(facts.describe(payment)) be made")
        let moved = DeliveryPhrases.note(
            linked?.linkedLine ?? 0,
            "then its line was linked to account "
                + (linked?.linkedAccount.map { facts.names.text(of: $0) } ?? "unknown"))
        report.find(
            event, on: line, facts, account: payer, key: facts.text(transaction),
            "\(name) was delivered to account \(given): expected account \(paid), which paid",
            notes: asked + DeliveryPhrases.stated(transaction, facts) + moved,
            hint: "account \(paid) paid and another got it: look at who was signed in when the "
                + "transaction arrived, and deliver it to the payer")
    }

    /// The payment of a transaction, or of the original that it renews or restores.
    private func payment(
        of transaction: TransactionID<Interned>, _ facts: Facts
    ) -> PaymentID<Interned>? {
        facts[transaction].payment ?? facts[facts.original(of: transaction)].payment
    }

    /// Whether an account paid for another purchase of the line that a transaction renews.
    ///
    /// An account that subscribes again in another account's line also receives the renewals.
    private func paidBefore(
        _ account: AccountID<Interned>, for transaction: TransactionID<Interned>,
        _ line: LineFacts?, _ facts: Facts
    ) -> Bool {
        guard facts[transaction].payment == nil, let line else { return false }
        return facts.transactions(of: line).contains { other in
            facts[other].payment.map { facts[$0].account == account } ?? false
        }
    }
}
