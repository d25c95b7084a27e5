import PurchaseEvents

extension MutationReason {
    /// Why no rule notices a mutation of a history of today's store, besides the reasons of the
    /// samples.
    static let ofToday = ofCircumstances + ofOpenPayments + ofOpenPurchases + ofKnownFacts

    private static let ofCircumstances: [MutationReason] = [
        MutationReason(
            "moved to the end", at: EventTypes(.notificationReceived),
            because: "a notification that is received after its facts changes none of them"),
        MutationReason(
            "moved to the end", "another group", "published ten years later",
            "published a year earlier",
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
        MutationReason(
            "hosted after all", at: EventTypes(.catalogListed),
            because: "a purchase that names no download has none to wait for, and only what is "
                + "pending asks for it"),
        MutationReason(
            "the transaction of another event", at: EventTypes(.deliveryWithdrawn),
            because: "the other one had been taken back before, and what should be taken is not "
                + "used again"),
        MutationReason(
            "moved before what it is about", "moved before the launch",
            at: EventTypes(.deliveryPersisted),
            because: "a statement of what is kept may come later, and an earlier launch of the "
                + "device observed the queue"),
        MutationReason(
            "moved to the end", at: EventTypes(.deliveryValidated),
            because: "only a validation before the delivery is one that the delivery waits for"),
        MutationReason(
            "moved to the end", at: EventTypes(.receiptValidated),
            because: "no rule asks when a receipt is validated"),
        MutationReason(
            "moved to the end", at: EventTypes(.restoreCompleted, .restoreFailed),
            because: "nothing came back in the restore, and the log has no later one"),
        MutationReason(
            "moved to the end", at: EventTypes(.paymentAllowed),
            because: "payments are restricted for nobody who requests one"),
    ]

    /// A payment that was deferred, requested again and bought once.
    private static let ofOpenPayments: [MutationReason] = [
        MutationReason(
            "dropped", "doubled", "swapped with the next", "moved to the end",
            "moved before what it is about", "moved before the launch",
            at: EventTypes(.queuePurchasing),
            because: "two requests of that payment are open, and a presentation may answer either"),
        MutationReason(
            "dropped", "moved to the end", "moved before what it is about",
            "moved before its request", "moved before the launch",
            at: EventTypes(.queueDeferred),
            because: "two requests of that payment are open: either may be deferred, and the "
                + "purchase answers the other"),
        MutationReason(
            "a payment renamed", at: EventTypes(.paymentRequested),
            because: "that request is open, and no second launch has come since; the other one of "
                + "the payment is answered"),
        MutationReason(
            "failed after the purchase", at: EventTypes(.queuePurchased),
            because: "of the two requests of that payment one is bought and one fails"),
    ]

    /// What the queue presents at the last launch, of which nothing is delivered.
    private static let ofOpenPurchases: [MutationReason] = [
        MutationReason(
            "doubled", "swapped with the next", "moved to the end",
            "moved before what it is about", "a transaction renamed",
            "presented again by another device",
            at: EventTypes(.queuePurchased),
            because: "nothing of it is delivered or finished before the log ends, and the queue "
                + "may present what is open in any order and often"),
        MutationReason(
            "finished at once", at: EventTypes(.queuePurchased),
            because: "it had been refunded, so that nothing was owed for it"),
    ]

    /// What another statement says too, or a date decides.
    private static let ofKnownFacts: [MutationReason] = [
        MutationReason(
            "dropped", "taken from another environment", at: EventTypes(.renewalFailed),
            because: "the line renewed later, and nothing was opened while grace lasted"),
        MutationReason(
            "moved to the end", "moved after its finish", at: EventTypes(.renewalRenewed),
            because: "the queue states the same period, or nothing of it was presented or opened"),
        MutationReason(
            "moved to the end", at: EventTypes(.renewalPlanChanged),
            because: "the new transaction itself tells the change"),
        MutationReason(
            "moved to the end", at: EventTypes(.renewalPriceIncreased),
            because: "the line doesn't renew again before the log ends"),
        MutationReason(
            "moved to the end", at: EventTypes(.cancellationRefunded, .receiptListed),
            because: "a refund or an upgrade counts from its date, by which what it ended was "
                + "withdrawn, or nothing of it was delivered"),
        MutationReason(
            "another group", "ended a year later", "refunded a year later", "the refund not said",
            at: EventTypes(.receiptListed),
            because: "the period was replaced or refunded, as another statement says too, and "
                + "nothing was opened in it"),
    ]
}
