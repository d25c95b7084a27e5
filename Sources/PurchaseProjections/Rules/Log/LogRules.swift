extension RuleCatalogue {
    /// The log itself.
    static let log: [any Rule.Type] = [
        SequenceUnbroken.self, IdentifiersUnique.self, ClockGoesForward.self,
    ]
}
