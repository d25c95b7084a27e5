import PurchaseEvents

extension MutationReason {
    /// The circumstances of the recording.
    static let ofEnvelope: [MutationReason] = [
        MutationReason(
            "given to another account", at: EventTypes(.deliveryUnlocked),
            because: "it is the other account's product that is said to be unlocked, of which the "
                + "log knows nothing that has ended"),
        MutationReason(
            "given to another account", at: EventTypes(.paymentRequested),
            because: "the payment failed or was refunded before it was delivered, or it had been "
                + "requested first for the account that it was delivered to"),
        MutationReason(
            "given to another account", at: EventTypes(.queuePurchased),
            because: "who is signed in when the queue speaks need not have paid; it was delivered "
                + "to the account of the payment, or no payment says who paid"),
        MutationReason(
            "given to another account", at: EventTypes(.receiptListed),
            because: "no other statement names the owner of that purchase, and nothing was "
                + "delivered of it to anybody else"),
        MutationReason(
            "given to another account", "given to no account",
            at: EventTypes(.receiptRefreshed),
            because: "the snapshot is then of another receipt than the account's, and a receipt is "
                + "held against those of its own account only; its rows name their owner "
                + "themselves"),
        MutationReason(
            "given to another account", at: EventTypes(.restoreRequested),
            because: "what comes back is judged by whom it is delivered to, and that is its owner"),
        MutationReason(
            "given to no account",
            at: EventTypes(.paymentRequested, .queuePurchased, .receiptListed),
            because: "an absent account is not said, never another one"),
        MutationReason(
            "taken from another environment",
            at: EventTypes(.deliveryUnlocked),
            because: "a test run says nothing of what is unlocked in production"),
        MutationReason(
            "taken from another environment",
            at: EventTypes(.paymentRequested, .restoreRequested),
            because: "a request grants nothing: what was bought, restored and delivered after it "
                + "is all of production"),
        MutationReason(
            "taken from another environment", at: EventTypes(.queueFinished),
            because: "the entry is finished, and was delivered in its own environment before"),
        MutationReason(
            "taken from another environment", at: EventTypes(.queuePurchased),
            because: "another statement attests it in production too, nothing was delivered for "
                + "it, or it is production's and delivered in a test"),
        MutationReason(
            "taken from another environment", at: EventTypes(.receiptListed, .receiptRefreshed),
            because: "what was delivered in production is attested by another statement of "
                + "production"),
        MutationReason(
            "taken from another environment",
            at: EventTypes(
                .renewalStarted, .renewalExpired, .renewalTurnedOff, .cancellationRefunded),
            because: "what is said in a test changes nothing of what is attested in production, "
                + "which is shown and owed as it was"),
        MutationReason(
            "signed a year on", at: EventTypes(.renewalTurnedOff),
            because: "signed after its rival it is the newer word, in whatever order they came"),
    ]

    /// The subject of an event, and quantities.
    static let ofNames: [MutationReason] = [
        MutationReason(
            "another product", at: EventTypes(.catalogListed),
            because: "the kind is then unknown, and the purchase was not valid: nothing is owed"),
        MutationReason(
            "another product", "the product of another event", at: EventTypes(.deliveryUnlocked),
            because: "nothing of that product has ended, so that it may be unlocked; the restore "
                + "is shown as not having brought the other one back"),
        MutationReason(
            "another product", at: EventTypes(.queuePurchased),
            because: "no request and no other statement says which product it should be"),
        MutationReason(
            "another product", at: EventTypes(.queueRestored),
            because: "a subscription line may change its product"),
        MutationReason(
            "another product", at: EventTypes(.receiptListed, .renewalStarted, .renewalRenewed),
            because: "a subscription line may change its product from period to period, and no "
                + "other statement of that transaction names one"),
        MutationReason(
            "a transaction renamed", at: EventTypes(.receiptListed),
            because: "of a non-consumable bought twice one row is listed, and of one period two "
                + "transactions are one; the purchase itself is stated by the queue, or nothing "
                + "was given for it"),
        MutationReason(
            "a transaction renamed", at: EventTypes(.renewalStarted, .renewalRenewed),
            because: "two transactions of a line with equal start and end are one period"),
        MutationReason(
            "a transaction renamed", "the transaction of another event",
            at: EventTypes(.cancellationRefunded),
            because: "it is then the refund of another purchase, and this one is still owed and "
                + "granted"),
        MutationReason(
            "the original renamed", "the original left out", at: EventTypes(.queuePurchased),
            because: "it is the only statement that says which line the transaction is of; the "
                + "other line is the account's too, and grants it the same"),
        MutationReason(
            "the original renamed", at: EventTypes(.queueRestored),
            because: "the log doesn't know the purchase that is said to be restored: it may lie "
                + "before it; what is given is the account's own"),
        MutationReason(
            "the original renamed", "the original left out", "its own original",
            at: EventTypes(.receiptListed),
            because: "it is the only statement that says which purchase or line it is of; the "
                + "other one is the account's too, and grants it the same"),
        MutationReason(
            "the original renamed",
            at: EventTypes(.renewalStarted, .renewalRenewed),
            because: "it is the only statement that says which line the period is of; the other "
                + "line is the account's too, and grants it the same"),
        MutationReason(
            "the original renamed",
            at: EventTypes(.renewalExpired, .renewalTurnedOff),
            because: "it is then said of a line without a period, which grants nothing; the end of "
                + "the period says when access ends"),
        MutationReason(
            "the original renamed", at: EventTypes(.cancellationRefunded),
            because: "a refund ends what its transaction grants, whatever the original; that "
                + "purchase is no period of a line, or the only one"),
        MutationReason(
            "a payment renamed", at: EventTypes(.queuePurchasing, .queueDeferred),
            because: "a payment that was never requested may begin anywhere, as promoted purchases "
                + "do; a request may skip what lies between it and its answer"),
        MutationReason(
            "a payment renamed", "the payment left out", at: EventTypes(.queuePurchased),
            because: "a purchase may come without a request; the request is open, and no second "
                + "launch has come since, or a purchase without a payment may be its answer"),
        MutationReason(
            "a receipt renamed", at: EventTypes(.receiptRefreshed, .receiptListed),
            because: "a row of no snapshot is a statement, which is all that its transaction "
                + "needs; no other snapshot is held against this one"),
        MutationReason(
            "a receipt left out", at: EventTypes(.receiptListed),
            because: "a row of no snapshot is a statement, which is all that its transaction "
                + "needs; no other snapshot is held against this one"),
        MutationReason(
            "another content", at: EventTypes(.contentPublished),
            because: "content without a known date is judged by the day on which it is opened, and "
                + "a period covers that day"),
        MutationReason(
            "another group",
            at: EventTypes(.catalogListed, .renewalStarted, .renewalRenewed),
            because: "the account has one line only, so it holds one plan in whatever group"),
        MutationReason(
            "the quantity one less", "the quantity one more", "the quantity left out",
            at: EventTypes(.deliveryConsumed),
            because: "less is consumed than was delivered; the app alone counts it"),
        MutationReason(
            "the quantity one more", at: EventTypes(.queuePurchased),
            because: "a delivery that names no quantity gives all of it, whatever a later "
                + "presentation says, or nothing was delivered"),
        MutationReason(
            "the quantity one more", at: EventTypes(.deliveryWithdrawn),
            because: "a part of what was delivered is taken back, as after a refund of a part"),
        MutationReason(
            "the quantity one more", at: EventTypes(.receiptListed),
            because: "the row came after the finish, which is judged by what was known by then"),
        MutationReason(
            "the price doubled", "the price not said",
            at: EventTypes(.queuePurchased, .receiptListed),
            because: "only the App Store knows what was charged: a price may change after the "
                + "request, and is judged where consent is pending or the product is owned"),
        MutationReason(
            "the price doubled", "the price not said",
            at: EventTypes(.renewalStarted, .renewalRenewed),
            because: "prices differ by country and time: they are judged only where consent is "
                + "pending"),
    ]
}
