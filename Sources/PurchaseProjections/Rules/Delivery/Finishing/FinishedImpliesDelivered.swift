import PurchaseEvents

/// A transaction is finished only after its delivery (G4.7, G4.10, I1).
///
/// Any statement attests a purchase, also a receipt's row or a renewal of one that the queue never
/// presented. Transactions for which nothing is owed (refunded, revoked, upgraded away, invalid, or
/// of another environment) are exempt, and so are restored transactions that the user did not
/// select or that the receipt already grants (G8.4).
struct FinishedImpliesDelivered: CatalogueRule {
    static let level = Level.error
    static let statement =
        "A transaction that the App Store stated is finished only after it was delivered, unless "
        + "nothing is owed for it: it is refunded, revoked, upgraded away, validated as invalid or "
        + "of another environment; or it is a restored one that the user did not select, or that "
        + "has no hosted content and is already in the receipt."
    static let evidence = ["G4.7", "G4.10", "I1"]
    static let reads = EventTypes(.queueFinished)

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard let transaction = Finishing.transaction(of: event, facts) else {
            return Finishing.lookForUnseen(event, \.firstDeliveredLine, "delivered", facts, &report)
        }
        report.test()
        guard facts[transaction].firstDeliveredLine == 0,
            !Finishing.isRepeated(transaction, facts),
            !Finishing.owesNothing(transaction, at: event, facts)
        else { return }
        let name = DeliveryPhrases.name(transaction, facts)
        if let reason = facts.incompleteReason {
            return report.cannotTell("no delivery of \(name) is seen before its finish; \(reason)")
        }
        report.find(
            event, on: line, facts,
            account: DeliveryPhrases.account(event, transaction, facts),
            key: facts.text(transaction),
            "\(name) was finished, but never delivered: expected delivery.delivered before the "
                + "finish",
            notes: DeliveryPhrases.stated(transaction, facts),
            hint: "the account paid and got nothing, and a finished transaction is not presented "
                + "again: look at what runs before the finish, and deliver by hand")
    }
}
