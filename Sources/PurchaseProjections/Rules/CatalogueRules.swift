extension RuleCatalogue {
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
}
