/// What is known of one product: what decisions need of its listing, and who bought it.
public struct ProductState<S: Spelling>: Hashable, Sendable {
    /// What the catalogue said last.
    var listedKind: ProductKind?, listedGroup: GroupID<S>?
    /// What rows and renewals say, the earliest statement.
    var statedKind = StatedValue<ProductKind>(), statedGroup = StatedValue<GroupID<S>>()
    /// The kind that the catalogue said last, else the one that a statement says first (G1.1).
    public var kind: ProductKind? { listedKind ?? statedKind.value }
    /// The subscription group that the catalogue said last, else the one that a statement says
    /// first (G6.5).
    public var group: GroupID<S>? { listedGroup ?? statedGroup.value }
    /// Whether the catalogue says that it has content hosted by Apple (G4.15).
    public internal(set) var isHosted = false
    /// The transactions of it, but for those known to be of a consumable.
    var transactions: Set<TransactionID<S>> = []
    /// What was delivered less what was withdrawn and consumed, by the account that was said.
    var balances: [AccountID<S>?: Int64] = [:]

    /// How many an account has left; what was said of no account may be anybody's.
    func balance(of account: AccountID<S>?) -> Int64 {
        var balance: Int64 = 0
        for (owner, count) in balances where owner.mayBe(account) { balance.addSaturating(count) }
        return balance
    }
}

/// What is known of one piece of content (G6.3).
public struct ContentState<S: Spelling>: Hashable, Sendable {
    /// When it was published.
    public internal(set) var publishedAt: Timestamp
    /// The product whose subscribers may read it, where it is said.
    public internal(set) var product: ProductID<S>?
    /// The group whose subscribers may read it, where it is said.
    public internal(set) var group: GroupID<S>?
}

extension Optional {
    /// Whether two accounts may be one: an absent one is not said, never another.
    func mayBe<S: Spelling>(_ other: AccountID<S>?) -> Bool where Wrapped == AccountID<S> {
        self == nil || other == nil || self == other
    }
}
