/// The state of one product: its listing as far as decisions need it, and its purchases.
public struct ProductState<S: Spelling>: Hashable, Sendable {
    /// The kind and the group that the catalogue listed last.
    var listedKind: ProductKind?, listedGroup: GroupID<S>?
    /// The kind and the group in receipt rows and renewals; the earliest statement counts.
    var statedKind = StatedValue<ProductKind>(), statedGroup = StatedValue<GroupID<S>>()
    /// The kind that the catalogue listed last, else the first one stated (G1.1).
    public var kind: ProductKind? { listedKind ?? statedKind.value }
    /// The subscription group that the catalogue listed last, else the first one stated (G6.5).
    public var group: GroupID<S>? { listedGroup ?? statedGroup.value }
    /// Whether the catalogue says that Apple hosts content for the product (G4.15).
    public internal(set) var isHosted = false
    /// The transactions of the product, except known purchases of consumables.
    var transactions: Set<TransactionID<S>> = []
    /// The units delivered minus the units withdrawn and consumed, by stated account.
    var balances: [AccountID<S>?: Int64] = [:]

    /// The units that an account has left; units without a stated account may be anyone's.
    func balance(of account: AccountID<S>?) -> Int64 {
        var balance: Int64 = 0
        for (owner, count) in balances where owner.mayEqual(account) {
            balance.addSaturating(count)
        }
        return balance
    }
}

/// The state of one piece of content (G6.3).
public struct ContentState<S: Spelling>: Hashable, Sendable {
    /// The time of publication.
    public internal(set) var publishedAt: Timestamp
    /// The product whose subscribers may read the content, if stated.
    public internal(set) var product: ProductID<S>?
    /// The group whose subscribers may read the content, if stated.
    public internal(set) var group: GroupID<S>?
}

extension Optional {
    /// Whether two accounts may be the same; `nil` means unknown, never another account.
    func mayEqual<S: Spelling>(_ other: AccountID<S>?) -> Bool where Wrapped == AccountID<S> {
        self == nil || other == nil || self == other
    }
}

extension ContentState: BitwiseCopyable where S.Name: BitwiseCopyable {}
