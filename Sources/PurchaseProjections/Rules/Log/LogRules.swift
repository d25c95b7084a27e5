extension RuleCatalogue {
    static let log: [any CatalogueRule.Type] = [
        SequenceUnbroken.self, IdentifiersUnique.self, ClockGoesForward.self,
    ]
}
