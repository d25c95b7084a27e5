extension RuleCatalogue {
    /// The queue and the payments.
    static let queue: [any Rule.Type] = [
        Lifecycle.self, ObservedFromLaunch.self,
    ]
}
