/// The user's actions in today's store: subscriptions and their changes are more frequent.
extension Simulation {
    /// Completes the weights of the actions; the guide's store offers none of today's.
    func addTodaysWeights(to weights: inout [Int64]) {
        guard isToday else { return weights.append(0) }
        let isOrdinary = options.mix == .ordinary
        weights[UserAction.subscribe.rawValue] += isOrdinary ? 16 : 4
        weights[UserAction.upgrade.rawValue] += isOrdinary ? 12 : 4
        // From `takeSeat` on.
        weights += [isOrdinary ? 6 : 4]
    }
}
