extension RuleCatalogue {
    static let subscription: [any CatalogueRule.Type] = [
        PeriodWellFormed.self, PeriodsDoNotOverlap.self, GrantedImpliesOwed.self,
        ContentWithinPeriods.self, RefundGrantsNothing.self, WithdrawnWhenOver.self,
        WithdrawalHasAReason.self, RetryIsBounded.self, RenewalBeforeLapse.self,
        PlanChangeInTime.self, PriceConsented.self, OnePlanPerGroup.self,
        SandboxRenewsLittle.self, EnvironmentsApart.self, LineHasOneOwner.self,
        StatementsInOrder.self, StatementsAgree.self, SecretRight.self, NotificationOnce.self,
    ]
}
