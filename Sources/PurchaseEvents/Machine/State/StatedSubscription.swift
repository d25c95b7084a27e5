/// What is stated about a subscription as a whole, in production or in tests, kept apart because
/// environments never mix (G9.3).
struct StatedSubscription<S: Spelling>: Hashable, Sendable {
    var phase = SubscriptionPhase.unseen
    /// The extensions that name no transaction, and the grace periods.
    var extensions = StatedExtensions()
    var graces = GracePeriods()
    /// When the latest `renewal.expired` ended the subscription.
    var expired = StatedValue<Timestamp>()
    /// The account that the facts name first.
    var account = StatedValue<AccountID<S>>()
    /// The account that the latest `account.linked` with an account names, and whether any
    /// `account.linked` was recorded.
    private(set) var linkedAccount: AccountID<S>?
    private(set) var isLinked = false

    /// Records an `account.linked`; one without an account moves nothing.
    mutating func link(to account: AccountID<S>?) {
        linkedAccount = account ?? linkedAccount
        isLinked = true
    }
}

extension StatedSubscription where S.Name: BitwiseCopyable {
    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&phase).visit(&extensions).visit(&graces).visit(&expired).visit(&account)
        visitor.visit(&linkedAccount).visit(&isLinked)
    }
}
