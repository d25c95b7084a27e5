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
            "moved to the end", at: EventTypes(.deliveryUnlocked),
            because: "what it unlocks is still owned at the end"),
        MutationReason(
            "the product of another event", at: EventTypes(.paymentRequested),
            because: "nothing answers the payment before the log ends"),
        MutationReason(
            "the product of another event", at: EventTypes(.queuePurchased),
            because: "no other line names the product of the purchase, which was refunded before "
                + "anything of it was delivered"),
        MutationReason(
            "no grace", "grace for a year less", at: EventTypes(.renewalFailed),
            because: "nothing is opened or withdrawn while grace would last"),
        MutationReason(
            "moved to the end", at: EventTypes(.paymentRestricted),
            because: "the app requests nothing while payments are restricted"),
        MutationReason(
            "moved to the end", at: EventTypes(.deliveryWithdrawn),
            because: "nothing uses what it withdraws before the log ends"),
    ]
}
