import PurchaseEvents

extension MutationReason {
    static let ofWordsAndAdditions: [MutationReason] = [
        MutationReason(
            [
                "bought an hour earlier", "bought a year earlier", "bought a year later",
            ],
            "nothing was opened in the part of the period that is lost, or another "
                + "statement of it dates it"),
        MutationReason(
            [
                "first bought a year later"
            ],
            EventTypes(
                .queueRestored, .queuePurchased, .receiptListed),
            "a purchase of the line with the right date came before, or the date is that "
                + "of a restore (G8.8)"),
        MutationReason(
            [
                "ended before it begins", "ended where it begins",
            ],
            EventTypes(
                .queueRestored),
            "a restored transaction opens no period (G8.8)"),
        MutationReason(
            [
                "ended an hour earlier", "ended a year later", "without an end",
            ],
            "nothing was opened in the time between, or another statement of the period "
                + "says the same end"),
        MutationReason(
            [
                "refunded a year earlier", "refunded a year later",
            ],
            "the refund is known from its line on, whatever its date; nothing was used "
                + "in between"),
        MutationReason(
            [
                "published a year earlier", "published ten years later",
            ],
            EventTypes(
                .contentPublished),
            "a period covers that day too, or nobody opened it"),
        MutationReason(
            [
                "grace for a year more"
            ],
            EventTypes(
                .renewalFailed),
            "nothing was opened after the grace that was granted"),
        MutationReason(
            [
                "granted for a year less"
            ],
            EventTypes(
                .deliveryDelivered),
            "the end of a non-renewing subscription is the app's own (G1.4), and nothing "
                + "was opened after it"),
        MutationReason(
            [
                "valid told as invalid", "valid told as unreachable", "invalid told as valid",
            ],
            EventTypes(
                .receiptValidated),
            "the answer on a whole receipt is judged by its environment only: "
                + "transactions have validations of their own"),
        MutationReason(
            [
                "unfinished download told as cancelled"
            ],
            EventTypes(
                .deliveryDownload),
            "a failed download may be cancelled"),
        MutationReason(
            [
                "persisted elsewhere"
            ],
            EventTypes(
                .deliveryPersisted),
            "the store fits the kind, or the kind is not known"),
        MutationReason(
            [
                "withdrawn for another reason"
            ],
            EventTypes(
                .deliveryWithdrawn),
            "hole in rules.md: no rule holds the reason of a withdrawal, save other, "
                + "against what ended the access"),
        MutationReason(
            [
                "ended for another reason"
            ],
            EventTypes(
                .renewalExpired),
            "why a subscriber left is told for the seller: access ends alike"),
        MutationReason(
            [
                "failed for another reason"
            ],
            EventTypes(
                .queueFailed, .deliveryDownload, .restoreFailed),
            "the failure stands whatever its reason; an interrupted one is looked at "
                + "again only where a purchase follows"),
        MutationReason(
            [
                "consent given at once"
            ],
            EventTypes(
                .renewalPriceIncreased),
            "consent may be given at once"),
        MutationReason(
            [
                "another kind", "the kind not said",
            ],
            "the store that was used, the quantity and the period fit that kind as well"),
        MutationReason(
            [
                "hosted after all"
            ],
            EventTypes(
                .catalogListed),
            "only what is restored unseen asks whether it is hosted"),
        MutationReason(
            [
                "the secret wrong", "the signature invalid",
            ],
            EventTypes(
                .notificationReceived),
            "nothing is recorded of what that notification states"),
        MutationReason(
            [
                "upgraded away", "the refund not said", "the row refunded",
            ],
            EventTypes(
                .receiptListed),
            "nothing that only this row grants is used after it, and a refund that was "
                + "known stays known"),
        MutationReason(
            [
                "shared by the family"
            ],
            "shared access is owed to the account as a bought one is"),
        MutationReason(
            [
                "no longer retried", "recovered or not", "subscribed again or not",
            ],
            "told for the reader: periods and grace say what is owed"),
        MutationReason(
            [
                "presented again by another device"
            ],
            EventTypes(
                .queuePurchased),
            "an entry of one store account is presented on each of its devices"),
        MutationReason(
            [
                "a refund after the delivery"
            ],
            EventTypes(
                .deliveryDelivered),
            "a refund may come at any time; it is judged by what is used after it"),
        MutationReason(
            [
                "withdrawn while it is owed", "withdrawn as expired while it is owed",
            ],
            EventTypes(
                .deliveryDelivered),
            "by the clock that was set back the purchase lies in the future"),
        MutationReason(
            [
                "failed after the purchase"
            ],
            EventTypes(
                .queuePurchased),
            "a second request of the same payment object was open"),
        MutationReason(
            [
                "three launches at the end"
            ],
            "everything was finished, so that nothing is presented again"),
        MutationReason(
            [
                "refunded before the content is opened"
            ],
            EventTypes(
                .contentOpened),
            "another purchase that was attested later, or is not of that line, grants it"),
        MutationReason(
            [
                "a second line in the group"
            ],
            "hole: a line that begins with a renewal or a row counts as no start, so "
                + "one-plan-per-group does not test it"),
        MutationReason(
            [
                "eight renewals within the hour"
            ],
            "in production a period is as long as the store says: no rule bounds their "
                + "number"),
        MutationReason(
            [
                "the snapshot again, a row less"
            ],
            EventTypes(
                .receiptListed),
            "the account's consumables leave the receipt once finished (G4.13), or "
                + "something was recorded in between"),
        MutationReason(
            [
                "linked to another account before"
            ],
            EventTypes(
                .deliveryDelivered),
            "who paid may still be given it after the line was moved"),
    ]
}
