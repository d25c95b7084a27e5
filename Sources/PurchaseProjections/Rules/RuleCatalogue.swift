/// Every rule, in the order of rules.md.
public enum RuleCatalogue {
    /// All rules.
    public static let all: [any Rule.Type] = rules.map { $0 }

    private static let rules = delivery + queue + receipt + subscription + log

    static let delivery: [any CatalogueRule.Type] = [
        FinishedImpliesDelivered.self, FinishedImpliesPersisted.self,
        FinishedImpliesDownloaded.self, NothingAfterFinish.self, FinishedOnce.self,
        FinishOnlyAtTheEnd.self, EverythingFinished.self, DeliveredImpliesPaid.self,
        DeliveredOnce.self, DeliveredQuantity.self, DeliveredToPayer.self,
        DownloadsMoveForward.self, ValidatedBeforeServerContent.self,
        InstalledAfterDownload.self, UnlockedAgainAtLaunch.self, ConsumedWithinDelivered.self,
    ]

    static let queue: [any CatalogueRule.Type] = [
        Lifecycle.self, ObservedFromLaunch.self, PaymentComesBack.self, OneRequestOneCharge.self,
        PresentedUntilFinished.self, NotPresentedAfterFinish.self, RemovedImpliesFinished.self,
        PaymentsAllowed.self, ProductListed.self, RequestedIsAnswered.self, QuantitySane.self,
        AccountOpaque.self, OnePayerPerAccount.self, OwnedNotChargedAgain.self,
        InterruptedNotLost.self,
    ]

    static let receipt: [any CatalogueRule.Type] = [
        RestoredHasOriginal.self, RestoredToOwner.self, RestoreEnds.self, RestoreAskedByUser.self,
        RestoreGrantsAll.self, RefreshChangesNothing.self, ReceiptKeepsItsOwn.self,
        PersistedWhereItFits.self, PurchaseInReceipt.self, ValidatedInBoth.self,
    ]

    static let subscription: [any CatalogueRule.Type] = [
        PeriodWellFormed.self, PeriodsDoNotOverlap.self, GrantedImpliesOwed.self,
        ContentWithinPeriods.self, RefundGrantsNothing.self, WithdrawnWhenOver.self,
        WithdrawalHasAReason.self, RetryIsBounded.self, RenewalBeforeLapse.self,
        PlanChangeInTime.self, PriceConsented.self, OnePlanPerGroup.self,
        SandboxRenewsLittle.self, EnvironmentsApart.self, LineHasOneOwner.self,
        StatementsInOrder.self, StatementsAgree.self, SecretRight.self, NotificationOnce.self,
    ]

    static let log: [any CatalogueRule.Type] = [
        SequenceUnbroken.self, IdentifiersUnique.self, ClockGoesForward.self,
    ]

    /// All rules in the form that a ``Check`` runs, by type: describing a rule takes longer than
    /// looking it up.
    static let checked = Dictionary(
        uniqueKeysWithValues: rules.map { (ObjectIdentifier($0), CheckedRule(own: $0)) })

    /// The rule with an id, or the only rule whose id begins with `name`; `nil` if there is none.
    public static func find(_ name: String) -> (any Rule.Type)? {
        if let exact = all.first(where: { $0.id == name }) { return exact }
        let matches = all.filter { $0.id.hasPrefix(name) }
        return matches.count == 1 ? matches[0] : nil
    }
}
