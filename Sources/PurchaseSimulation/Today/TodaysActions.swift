/// The user's actions that only today's store offers.
extension Simulation {
    /// The weights of the actions from ``UserAction/takeSeat`` on.
    var todaysWeights: [Int64] { options.mix == .ordinary ? [1] : [4] }
}
