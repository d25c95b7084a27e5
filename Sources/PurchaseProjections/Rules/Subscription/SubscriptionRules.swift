extension RuleCatalogue {
    /// Subscriptions, refunds and environments.
    static let subscription: [any Rule.Type] = [
        GrantedImpliesOwed.self, ContentWithinPeriods.self, RefundGrantsNothing.self,
    ]
}
