extension RuleCatalogue {
    /// The rules about the log itself.
    static let log: [any CatalogueRule.Type] = [
        SequenceUnbroken.self, IdentifiersUnique.self, ClockGoesForward.self,
    ]
}
