extension RuleCatalogue {
    /// Restores and receipts.
    static let receipt: [any Rule.Type] = []
}
