/// The state of one subscription: the transactions that name the same original (event-log.md, 4).
///
/// A purchase without periods has such a state too, if restored transactions name it: the state
/// connects them, and says who owns the purchase.
public struct SubscriptionState<S: Spelling>: Hashable, Sendable {
    /// The transactions of the subscription, in the order in which they became known.
    public internal(set) var transactions: [TransactionID<S>] = []
    /// Whether the original, or a transaction that names it, is attested in production.
    var isOfProduction = false
    /// Whether a period or a statement about the subscription as a whole is known; only then does
    /// it belong to the account that the facts name first.
    var hasPeriods = false
    /// What is stated in production, and what is stated in sandbox and xcode.
    var inProduction = StatedSubscription<S>(), inTests = StatedSubscription<S>()

    /// The statements in an environment; sandbox and xcode share one value.
    subscript(environment: Environment) -> StatedSubscription<S> {
        get { environment == .production ? inProduction : inTests }
        _modify {
            if environment == .production { yield &inProduction } else { yield &inTests }
        }
    }

    /// The phase by the latest statement; test statements count only if there are none in
    /// production (G9.3).
    public var phase: SubscriptionPhase {
        isOfProduction || inProduction.phase != .unseen ? inProduction.phase : inTests.phase
    }

    /// The account that the last `account.linked` names; a link in tests doesn't move a
    /// subscription of production (G9.3).
    public var linkedAccount: AccountID<S>? {
        isOfProduction || inProduction.isLinked ? inProduction.linkedAccount : inTests.linkedAccount
    }

    /// The account that the facts name first; test facts count only if there are no others (G9.3).
    var namedAccount: AccountID<S>? { productionAccount ?? testAccount }

    private var productionAccount: AccountID<S>? { hasPeriods ? inProduction.account.value : nil }

    var testAccount: AccountID<S>? { hasPeriods ? inTests.account.value : nil }

    /// The account that owns the subscription: the linked one, else the one named first.
    public var account: AccountID<S>? {
        linkedAccount ?? productionAccount ?? (isOfProduction ? nil : testAccount)
    }
}
