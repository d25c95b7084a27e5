extension RuleCatalogue {
    static let queue: [any CatalogueRule.Type] = [
        Lifecycle.self, ObservedFromLaunch.self, PaymentComesBack.self, OneRequestOneCharge.self,
        PresentedUntilFinished.self, NotPresentedAfterFinish.self, RemovedImpliesFinished.self,
        PaymentsAllowed.self, ProductListed.self, RequestedIsAnswered.self, QuantitySane.self,
        AccountOpaque.self, OnePayerPerAccount.self, OwnedNotChargedAgain.self,
        InterruptedNotLost.self,
    ]
}
