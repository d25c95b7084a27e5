import PurchaseEvents

extension MutationReason {
    /// The stated time of an event.
    static let ofTimes: [MutationReason] = [
        MutationReason(
            "bought an hour earlier", "bought a year earlier",
            at: EventTypes(.queuePurchased, .receiptListed, .renewalStarted),
            because: "what is bought for good may be bought at any time, a period that begins "
                + "earlier still holds all that was opened, and where a renewal states the same "
                + "period the later statement counts"),
        MutationReason(
            "bought a year later", at: EventTypes(.queuePurchased, .receiptListed),
            because: "the store's clock is not the device's, and no rule holds one against the "
                + "other; what is bought for good is judged by the line that states it"),
        MutationReason(
            "ended an hour earlier",
            at: EventTypes(
                .queuePurchased, .receiptListed, .renewalStarted, .renewalRenewed,
                .renewalExtended, .renewalExpired),
            because: "nothing was opened in that hour, or a later statement of the period says its "
                + "end; a lapse of an hour is nobody's fault"),
        MutationReason(
            "ended a year later", at: EventTypes(.queuePurchased),
            because: "a later statement of the period says its end, or it is the last of its line, "
                + "and may be as long as the store says"),
        MutationReason(
            "ended a year later", at: EventTypes(.renewalRenewed),
            because: "it is the last period of its line, which may be as long as the store says"),
        MutationReason(
            "without an end", at: EventTypes(.queuePurchased, .receiptListed),
            because: "the queue often says no end; another statement attests the period, or "
                + "nothing was opened in it"),
        MutationReason(
            "refunded a year earlier",
            at: EventTypes(.receiptListed, .cancellationRefunded, .cancellationRevoked),
            because: "a refund counts from the line at which it is known, so what was used before "
                + "is nobody's fault"),
        MutationReason(
            "refunded a year later", at: EventTypes(.cancellationRefunded),
            because: "a refund is known from its line on, whatever its date, and nothing was "
                + "delivered or opened after that line"),
    ]

    /// Words and flags of an event.
    static let ofWords: [MutationReason] = [
        MutationReason(
            "another kind", at: EventTypes(.catalogListed),
            because: "store, quantity, end and restores fit that kind as well, or the product is "
                + "not bought: only the App Store knows that the catalogue is wrong"),
        MutationReason(
            "another kind", at: EventTypes(.receiptListed),
            because: "the catalogue's kind goes before a row's; without a catalogue the store that "
                + "was used, the quantity and the end fit that kind as well"),
        MutationReason(
            "upgraded away", "the row refunded", at: EventTypes(.receiptListed),
            because: "what only this row grants is over, and was not used after it"),
        MutationReason(
            "shared by the family", at: EventTypes(.queuePurchased, .receiptListed),
            because: "shared access is owed to the account as a bought one is; only nothing was "
                + "spent on it"),
    ]

    /// Events that should not have been there.
    static let ofAdditions: [MutationReason] = [
        MutationReason(
            "a refund after the delivery", at: EventTypes(.deliveryDelivered),
            because: "a refund may come at any time, and nothing was used after it: what was "
                + "granted is shown as to be withdrawn"),
        MutationReason(
            "refunded before the content is opened", at: EventTypes(.contentOpened),
            because: "a renewal that was attested later covers the day, and it is not refunded"),
        MutationReason(
            "eight renewals within the hour", at: EventTypes(.renewalRenewed),
            because: "in production a period is as long as the store says; only the sandbox bounds "
                + "the number of renewals"),
        MutationReason(
            "linked to another account before", at: EventTypes(.deliveryDelivered),
            because: "the account that paid may still be given it after it was moved; the other "
                + "one is shown as owed it"),
    ]
}
