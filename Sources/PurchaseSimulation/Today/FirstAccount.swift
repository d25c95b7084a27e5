import PurchaseEvents

/// Customers who move their subscriptions to another account of the app, while the store goes on to
/// name the first one in everything that it says about them.
extension Simulation {
    /// Moves a customer who owns nothing but subscriptions to a new account, now and then.
    func changeName(of account: SimulatedAccount) {
        guard account.ownsOnlySubscriptions, choices.happens(oncePer: 6) else { return }
        let first = account.name
        account.name = AccountID(names.uuid())
        account.lastConsumable = nil
        for subscription in account.subscriptions {
            subscription.firstAccount = first
            note(.accountLinked(.init(original: subscription.original, from: first)), account)
        }
    }

    /// The account that the store names in a statement about a subscription, if it isn't the
    /// present one.
    func accountNamed(in fact: Fact<Written>, _ account: SimulatedAccount) -> AccountID<Written>? {
        guard account.hasChangedName, let original = fact.original else { return nil }
        return account.subscriptions.first { $0.original == original }?.firstAccount
    }
}

extension SimulatedAccount {
    var hasChangedName: Bool { subscriptions.contains { $0.firstAccount != nil } }

    /// Whether the customer has subscriptions and nothing else that is or will be anyone's.
    fileprivate var ownsOnlySubscriptions: Bool {
        subscriptions.contains { !$0.isEnded } && !hasChangedName && environment == nil
            && !subscriptions.contains(where: \.hadFault)
            && owned.isEmpty && arrivals.isEmpty && balances.allSatisfy { $0 == 0 }
            && !hasPersonalName
            && devices.allSatisfy {
                $0.open.isEmpty && $0.news.isEmpty && $0.unansweredRequests.isEmpty
            }
    }
}
