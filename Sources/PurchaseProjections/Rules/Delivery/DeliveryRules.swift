extension RuleCatalogue {
    /// The rules about delivery: a paid product is delivered, once.
    static let delivery: [any CatalogueRule.Type] = [
        FinishedImpliesDelivered.self, FinishedImpliesPersisted.self,
        FinishedImpliesDownloaded.self, NothingAfterFinish.self, FinishedOnce.self,
        FinishOnlyAtTheEnd.self, EverythingFinished.self, DeliveredImpliesPaid.self,
        DeliveredOnce.self, DeliveredQuantity.self, DeliveredToPayer.self,
        DownloadsMoveForward.self, ValidatedBeforeServerContent.self,
        InstalledAfterDownload.self, UnlockedAgainAtLaunch.self, ConsumedWithinDelivered.self,
    ]
}
