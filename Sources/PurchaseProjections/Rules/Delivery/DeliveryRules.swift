extension RuleCatalogue {
    /// What was paid for arrives, once.
    static let delivery: [any Rule.Type] = []
}
