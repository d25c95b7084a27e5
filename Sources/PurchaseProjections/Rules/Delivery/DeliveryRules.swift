extension RuleCatalogue {
    /// What was paid for arrives, once.
    static let delivery: [any Rule.Type] = [
        FinishedImpliesDelivered.self, FinishedImpliesPersisted.self,
        FinishedImpliesDownloaded.self, NothingAfterFinish.self, DeliveredImpliesPaid.self,
        DeliveredOnce.self,
    ]
}
