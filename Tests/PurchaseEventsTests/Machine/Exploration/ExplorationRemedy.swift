import PurchaseEvents

/// The ways to remove a reason for refusing a finish.
enum ExplorationRemedy {
    /// The steps to try, in order.
    static func steps(
        _ refusal: Refusal, _ id: TransactionID<Written>
    ) -> [ExplorationStep] {
        switch refusal {
        case .notObserved: [.does(.launch)]
        case .downloading: [.does(.download(Say.download(id, .cancelled)))]
        case .undelivered, .deliveredInPart:
            // Another account's purchase is first linked to the restoring account (G8.6).
            [.does(.deliver(id)), .does(.withdraw(id, because: .refunded))]
                + [ExplorationScene.entries.0, ExplorationScene.entries.1].map {
                    .says(.accountLinked(.init(original: $0.transaction)))
                }
        case .unpersisted: [.does(.persist(id, in: .server))]
        case .isACommand, .untrustedSource, .restricted, .quantityNotSane, .unpaid, .notAtItsEnd,
            .finishedAlready, .afterFinish, .otherEnvironment, .invalid, .refunded,
            .otherAccount, .otherOwner, .deliveredAlready, .tooMany, .endsTooSoon, .downloadEnded,
            .stillOwed, .notEntitled, .publishedOutsidePeriods, .nothingLeft:
            []
        }
    }
}
