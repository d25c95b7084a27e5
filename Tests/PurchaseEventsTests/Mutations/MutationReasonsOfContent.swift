import PurchaseEvents

extension MutationReason {
    static let ofContent: [MutationReason] = [
        MutationReason(
            [
                "given to another account"
            ],
            EventTypes(
                .deliveryDelivered),
            "no payment says who paid (a promoted purchase, an offer code), or the line "
                + "was linked or named by nobody else"),
        MutationReason(
            [
                "given to another account"
            ],
            EventTypes(
                .queueRestored, .restoreRequested, .restoreSelected, .restoreCompleted,
                .restoreFailed),
            "what is restored is judged by who it is delivered to, and that is still the "
                + "owner"),
        MutationReason(
            [
                "given to another account"
            ],
            EventTypes(
                .paymentRequested, .queuePurchasing, .queueDeferred, .queueFailed,
                .queuePurchased),
            "whoever is signed in while the queue speaks is not said to be the payer: "
                + "the payment or the line says it"),
        MutationReason(
            [
                "given to another account"
            ],
            "who was signed in when it was recorded changes neither who paid nor who was "
                + "given it"),
        MutationReason(
            [
                "given to no account"
            ],
            "an absent account is not said, never another one"),
        MutationReason(
            [
                "given to another device"
            ],
            "it grants by account, not by device; launches and observers of the other "
                + "device are not known to need it"),
        MutationReason(
            [
                "taken from another environment"
            ],
            EventTypes(
                .deliveryDelivered, .queueFinished, .queuePurchased, .queueRestored),
            "granted in sandbox it gives nothing away, and a purchase that another "
                + "statement or nothing granted rests on harms nobody"),
        MutationReason(
            [
                "taken from another environment"
            ],
            "acts of the app and statements that nothing granted in production rests on "
                + "alone"),
        MutationReason(
            [
                "recorded an hour back", "recorded a year back", "recorded ten years on",
            ],
            "a clock may be wrong (a note says so where it goes back by more than five "
                + "minutes); times of statements are their own"),
        MutationReason(
            [
                "signed a year back", "signed a year on",
            ],
            "the version only orders statements of one thing, and this one has no rival "
                + "that it overtakes"),
        MutationReason(
            [
                "stated by no notification"
            ],
            "a fact may be recorded from a response as well as from a notification"),
        MutationReason(
            [
                "another product", "the product of another event",
            ],
            EventTypes(
                .queueRestored),
            "hole in rules.md: no rule holds the product of a restored transaction "
                + "against its original's"),
        MutationReason(
            [
                "another product", "the product of another event",
            ],
            EventTypes(
                .catalogRequested, .catalogListed, .catalogInvalid),
            "a product that is listed under another name, with nothing requested of it "
                + "or its kind known elsewhere"),
        MutationReason(
            [
                "another product", "the product of another event",
            ],
            EventTypes(
                .queuePurchased, .paymentRequested, .receiptListed),
            "the log knows no other statement of that transaction to contradict it, and "
                + "the product's kind is owed alike"),
        MutationReason(
            [
                "another product", "the product of another event",
            ],
            EventTypes(
                .deliveryUnlocked, .restoreSelected),
            "unlocking is judged only for what is still owed, and a selection leaves out "
                + "what nobody missed"),
        MutationReason(
            [
                "another product", "the product of another event",
            ],
            EventTypes(
                .renewalFailed, .renewalExpired, .renewalPlanChanged),
            "the line is keyed by its original: the product beside it is for display "
                + "unless the plan is judged"),
        MutationReason(
            [
                "a transaction renamed", "the transaction of another event",
            ],
            EventTypes(
                .deliveryValidated, .deliveryPersisted, .deliveryDownload, .queueRemoved),
            "an act of the app about a transaction that needs it no more, or that it has "
                + "already"),
        MutationReason(
            [
                "a transaction renamed", "the transaction of another event",
            ],
            EventTypes(
                .deliveryWithdrawn),
            "what no fact grants may be withdrawn, and the access left open is found "
                + "when it is used"),
        MutationReason(
            [
                "a transaction renamed", "the transaction of another event",
            ],
            EventTypes(
                .receiptListed, .renewalStarted, .renewalRenewed),
            "the same period under another name is one period: the line still covers "
                + "what is opened"),
        MutationReason(
            [
                "a transaction renamed", "the transaction of another event",
            ],
            EventTypes(
                .cancellationRefunded, .cancellationRequested, .cancellationDeclined),
            "a refund of what was not granted takes nothing away, and requests change "
                + "nothing"),
        MutationReason(
            [
                "the original renamed", "the original left out", "its own original",
            ],
            "the period is then of another line of the same account, which covers the "
                + "same"),
        MutationReason(
            [
                "a payment renamed", "the payment left out",
            ],
            "a payment that was never seen requested may begin anywhere (a promoted "
                + "purchase), and the request may still come back"),
        MutationReason(
            [
                "a receipt renamed", "a receipt left out",
            ],
            "a row outside a snapshot is a statement like any other, and nothing later "
                + "is compared with it"),
        MutationReason(
            [
                "another content"
            ],
            EventTypes(
                .contentPublished, .contentOpened),
            "content without a known date is judged by the day on which it is opened, "
                + "which a period covers"),
        MutationReason(
            [
                "another group", "another level",
            ],
            "no other plan of the group is active, and no change of plan is judged by "
                + "its level"),
        MutationReason(
            [
                "the quantity one more", "the quantity eleven",
            ],
            EventTypes(
                .deliveryDelivered),
            "of a kind that the log doesn't say the quantity means nothing; one that "
                + "isn't counted is delivered whole"),
        MutationReason(
            [
                "the quantity one more", "the quantity one less", "the quantity left out",
            ],
            "a sane quantity that is delivered whole or consumed within what was "
                + "delivered"),
        MutationReason(
            [
                "the price doubled", "the price not said",
            ],
            "prices change and differ by country; they are judged only while consent to "
                + "an increase is pending, or where what is owned is bought again"),
    ]
}
