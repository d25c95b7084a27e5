import PurchaseEvents

extension MutationReason {
    static let ofOrder: [MutationReason] = [
        MutationReason(
            [
                "dropped"
            ],
            EventTypes(
                .logOpened),
            "the reader says not-opened, and rules take the log to start in the middle"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .logOpened),
            "what comes before log.opened is said by the reader, and nothing rests on it"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .logNoted, .notificationReceived, .cancellationRequested, .cancellationDeclined),
            "a remark, a notification or a request for a refund changes nothing by "
                + "itself"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .appLaunched, .queueObserved, .queueUnobserved),
            "a launch or an observer counts by the queue events that need it before "
                + "them, and none is between the two places"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .catalogRequested, .catalogListed, .catalogInvalid),
            "nothing was requested in between, or the kind is known from elsewhere or "
                + "not judged"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .paymentRestricted, .paymentAllowed),
            "only a request in between would show whether the user may pay"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .paymentRequested, .queuePurchasing, .queueDeferred, .queueFailed,
                .queuePurchased),
            "a payment that the log never saw requested may begin anywhere, states "
                + "between may be left out, and a purchase may be known from another statement"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .queueRestored),
            "the user left it out, or another statement of it came before what rests on "
                + "it"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .queueFinished),
            "a failed payment may be finished before it is told again"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .queueRemoved),
            "leaving the queue is told for the reader: the finish before it says all"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .deliveryValidated),
            "a validation is optional, and valid stands until invalid follows"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .deliveryPersisted, .deliveryInstalled, .deliveryDownload),
            "what is stored, downloaded and installed counts at the finish, before which "
                + "it still comes, or it needs none"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .deliveryDelivered),
            "a part of the quantity, or what is not finished yet, is still pending and "
                + "not lost"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .deliveryWithdrawn),
            "access that is over and still granted is found where it is used again"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .deliveryUnlocked, .deliveryConsumed),
            "less was used than was granted, or by then as much was granted"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .receiptRefreshed, .receiptListed, .receiptValidated),
            "a snapshot less, or a row that is no part of one, states nothing that "
                + "another doesn't"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .restoreRequested, .restoreSelected, .restoreCompleted),
            "the place within the restore or after it changes nothing that is granted"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .renewalStarted, .renewalRenewed, .renewalFailed, .renewalGraceExpired,
                .renewalExpired, .renewalTurnedOff, .renewalTurnedOn, .renewalPlanChanged,
                .renewalPriceIncreased, .renewalExtended, .cancellationRefunded,
                .cancellationRevoked, .cancellationReversed, .accountLinked),
            "what the store states may arrive in any order, or be stated by the queue "
                + "too, and nothing that was used in between rests on it"),
        MutationReason(
            [
                "dropped", "moved to the end", "moved before the launch",
                "swapped with the next", "moved before what it is about",
                "moved before its request", "moved after its finish",
                "moved before its snapshot",
            ],
            EventTypes(
                .contentPublished, .contentOpened),
            "content that was not opened, or opened elsewhere in the same period, harms "
                + "nobody"),
        MutationReason(
            [
                "everything after dropped"
            ],
            "no line shows where a log was cut: what is open is pending, and a "
                + "checkpoint tells the number of lines"),
        MutationReason(
            [
                "doubled"
            ],
            EventTypes(
                .catalogRequested, .catalogListed, .catalogInvalid, .logOpened, .appLaunched,
                .queueObserved, .queueUnobserved, .paymentRestricted, .paymentAllowed, .logNoted,
                .notificationReceived, .cancellationRequested, .cancellationDeclined),
            "the same state of things said twice"),
        MutationReason(
            [
                "doubled"
            ],
            EventTypes(
                .paymentRequested),
            "two requests of one payment object are two charges, which is lawful (G3.2); "
                + "the open one may still come back"),
        MutationReason(
            [
                "doubled"
            ],
            EventTypes(
                .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased, .queueRestored,
                .queueRemoved),
            "an entry may be presented again, and says the same"),
        MutationReason(
            [
                "doubled"
            ],
            EventTypes(
                .queueFinished, .deliveryDelivered, .receiptRefreshed),
            "one more was presented, owed or listed, so that the second is the next "
                + "one's"),
        MutationReason(
            [
                "doubled"
            ],
            "a fact stated or an act done twice is the same fact: it grants nothing more"),
        MutationReason(
            [
                "delivered before it is validated"
            ],
            "it was validated as valid before already; the second validation confirms it"),
        MutationReason(
            [
                "installed before it is downloaded"
            ],
            "another download of it had finished before, and an install names no "
                + "download"),
    ]
}
