extension RuleCatalogue {
    static let receipt: [any CatalogueRule.Type] = [
        RestoredHasOriginal.self, RestoredToOwner.self, RestoreEnds.self, RestoreAskedByUser.self,
        RestoreGrantsAll.self, RefreshChangesNothing.self, ReceiptKeepsItsOwn.self,
        PersistedWhereItFits.self, PurchaseInReceipt.self, ValidatedInBoth.self,
    ]
}
