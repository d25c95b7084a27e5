import PurchaseEvents

extension MutationReason {
    /// Why no rule notices a mutation of a history of today's store, besides the reasons of the
    /// samples.
    static let ofToday: [MutationReason] = [
        MutationReason(
            "moved to the end", at: EventTypes(.notificationReceived),
            because: "a notification that is received after its facts changes none of them"),
        MutationReason(
            "moved to the end", "another group", "published ten years later",
            at: EventTypes(.contentPublished),
            because: "nobody opens the content, or only who may do so whatever its date"),
        MutationReason(
            "the transaction of another event", at: EventTypes(.cancellationRevoked),
            because: "it is then the revocation of another purchase, and this one is still owed "
                + "and granted"),
        MutationReason(
            "refunded a year later", at: EventTypes(.cancellationRevoked),
            because: "a revocation is known from its line on, whatever its date, and nothing was "
                + "delivered or opened after that line"),
    ]
}
