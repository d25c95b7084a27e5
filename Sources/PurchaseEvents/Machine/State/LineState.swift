/// The state of one line: the transactions that name the same original (event-log.md, 4).
///
/// A subscription's line has periods. The line of any other purchase connects it to its restored
/// transactions, and says who owns it.
public struct LineState<S: Spelling>: Hashable, Sendable {
    /// The transactions of the line, in the order in which they became known.
    public internal(set) var transactions: [TransactionID<S>] = []
    /// Whether the original, or a transaction that names it, is attested in production.
    var isOfProduction = false
    /// Whether a period or a statement about the line as a whole makes it a subscription, whose
    /// account the facts name first.
    var isSubscription = false
    /// The statements about the line in production, and the statements in sandbox and xcode.
    var inProduction = LineStatements<S>(), inTests = LineStatements<S>()

    /// The statements in an environment; sandbox and xcode share one value.
    subscript(environment: Environment) -> LineStatements<S> {
        get { environment == .production ? inProduction : inTests }
        _modify {
            if environment == .production { yield &inProduction } else { yield &inTests }
        }
    }

    /// The phase by the latest statement; test statements count only if there are none in
    /// production (G9.3).
    public var phase: LinePhase {
        isOfProduction || inProduction.phase != .unseen ? inProduction.phase : inTests.phase
    }

    /// The account that the last `account.linked` names; a link in tests doesn't move a line of
    /// production (G9.3).
    public var linkedAccount: AccountID<S>? {
        isOfProduction || inProduction.isLinked
            ? inProduction.linkedAccount : inTests.linkedAccount
    }

    /// The account that the facts name first; test facts count only if there are no others (G9.3).
    var namedAccount: AccountID<S>? { productionAccount ?? testAccount }

    private var productionAccount: AccountID<S>? {
        isSubscription ? inProduction.account.value : nil
    }

    /// The account that facts of tests name first.
    var testAccount: AccountID<S>? { isSubscription ? inTests.account.value : nil }

    /// The account that owns the line: the linked one, else the one named first.
    public var account: AccountID<S>? {
        linkedAccount ?? productionAccount ?? (isOfProduction ? nil : testAccount)
    }
}
