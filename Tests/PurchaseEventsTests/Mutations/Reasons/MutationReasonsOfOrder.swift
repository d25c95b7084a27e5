import PurchaseEvents

extension MutationReason {
    /// Events lost, duplicated and moved.
    static let ofOrder: [MutationReason] = [
        MutationReason(
            "everything after dropped", at: .all,
            because: "each beginning of a log is a log: nothing in it says that more followed, and "
                + "a checkpoint, which does, is kept outside of it"),
        MutationReason(
            "dropped", at: EventTypes(.catalogListed),
            because: "the kind is then unknown, and no rule about kinds may guess; nothing was "
                + "requested after another answer of the catalogue"),
        MutationReason(
            "dropped", at: EventTypes(.contentPublished),
            because: "content without a known date is judged by the day on which it is opened, and "
                + "a period covers that day"),
        MutationReason(
            "dropped", at: EventTypes(.deliveryConsumed),
            because: "the account has more left than it used, by the log; the app alone counts it"),
        MutationReason(
            "dropped", at: EventTypes(.deliveryDelivered),
            because: "it was delivered before, and what is given back is pending: granted by the "
                + "original's delivery, or to be delivered after the reversal"),
        MutationReason(
            "dropped", at: EventTypes(.deliveryUnlocked),
            because: "the launch found nothing else unlocked, and a launch that unlocks nothing "
                + "says nothing; the restore is shown as not having brought it back"),
        MutationReason(
            "dropped", "moved before what it is about", "a transaction renamed",
            at: EventTypes(.deliveryWithdrawn),
            because: "what has ended is shown as to be withdrawn, and is found as soon as it is "
                + "used, which it isn't; what was not granted can be taken from nobody"),
        MutationReason(
            "dropped", at: EventTypes(.paymentRequested),
            because: "a payment that was never seen requested may begin anywhere, as promoted "
                + "purchases do; only its payer is no longer known"),
        MutationReason(
            "dropped", at: EventTypes(.queuePurchased),
            because: "a renewal, a row or an earlier presentation states the transaction before it "
                + "is delivered, or it was not valid and nothing was delivered for it"),
        MutationReason(
            "dropped", at: EventTypes(.receiptListed),
            because: "another statement attests the transaction, or nothing was given or used for "
                + "it; no snapshot follows that lists it or is held against this one"),
        MutationReason(
            "dropped", "swapped with the next", "moved to the end",
            at: EventTypes(.receiptRefreshed),
            because: "a row before its snapshot's beginning is a statement, which is all that its "
                + "transaction needs; no other snapshot is held against this one"),
        MutationReason(
            "moved before its snapshot", at: EventTypes(.receiptListed),
            because: "a row before its snapshot's beginning is a statement, which is all that its "
                + "transaction needs; no other snapshot is held against this one"),
        MutationReason(
            "moved before what it is about", at: EventTypes(.receiptListed),
            because: "statements may arrive in any order; its snapshot began later, and no other "
                + "is held against it"),
        MutationReason(
            "dropped", at: EventTypes(.cancellationRefunded),
            because: "a refund that the log doesn't know of is nobody's fault"),
        MutationReason(
            "dropped", at: EventTypes(.renewalExpired, .renewalTurnedOff),
            because: "the end of the period says when access ends; what the subscriber chose for "
                + "the next one is shown, and grants nothing"),
        MutationReason(
            "dropped", at: EventTypes(.renewalStarted),
            because: "the queue states the same period; that the line renews by itself again is "
                + "shown, and grants nothing"),
        MutationReason(
            "moved to the end",
            at: EventTypes(
                .renewalExpired, .renewalFailed, .renewalGraceExpired, .renewalTurnedOff,
                .renewalTurnedOn),
            because: "without a time of signing the later line is the later word; it says how the "
                + "line goes on, and nothing was opened that rests on it"),
        MutationReason(
            "moved to the end",
            at: EventTypes(
                .appLaunched, .catalogRequested, .paymentRequested, .queueObserved, .queueRemoved,
                .renewalStarted),
            because: "the lines behind it are recorded sooner, so grace ends sooner by the word "
                + "that it is over, after all that was opened in it"),
        MutationReason(
            "recorded an hour back", at: EventTypes(.renewalGraceExpired),
            because: "grace ends when the store says that it is over, and nothing was opened in "
                + "its last hour"),
        MutationReason(
            "grace for a year more", at: EventTypes(.renewalFailed),
            because: "the store says later that grace is over, whatever its date was"),
        MutationReason(
            "moved to the end", at: EventTypes(.logOpened),
            because: "the reader says not-opened, so the rules take the environment of what comes "
                + "before it for unknown"),
        MutationReason(
            "doubled", at: EventTypes(.paymentRequested),
            because: "a payment object added twice is charged twice (G3.2): the second request is "
                + "open, and no second launch has come since"),
        MutationReason(
            "moved before its request", at: EventTypes(.queuePurchased),
            because: "a payment may begin without a request, and be requested afterwards: that "
                + "request is open, and no second launch has come since; what was bought is "
                + "delivered all the same"),
        MutationReason(
            "moved before the launch", at: EventTypes(.queuePurchased),
            because: "it is the first launch that the log shows, before which nothing says that "
                + "the queue was not observed; what was bought is delivered all the same"),
    ]
}
