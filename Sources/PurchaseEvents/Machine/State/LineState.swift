/// What is known of one line: the transactions that name one original (event-log.md, 4).
///
/// A subscription's line has periods; the line of any other purchase ties its restored
/// transactions to it, and says whose it is.
public struct LineState<S: Spelling>: Hashable, Sendable {
    /// The transactions of the line, in the order in which they became known.
    public internal(set) var transactions: [TransactionID<S>] = []
    /// Whether its original, or any transaction that names it, is attested in production.
    var isOfProduction = false
    /// What is said of it in production, and what in sandbox and xcode.
    var inProduction = LineWords<S>(), inTests = LineWords<S>()

    /// What is said in an environment, sandbox and xcode being one.
    subscript(environment: Environment) -> LineWords<S> {
        get { environment == .production ? inProduction : inTests }
        _modify {
            if environment == .production { yield &inProduction } else { yield &inTests }
        }
    }

    /// Where it stands, by what was said last; what is said of tests counts where nothing is in
    /// production (G9.3).
    public var phase: LinePhase {
        isOfProduction || inProduction.phase != .unseen ? inProduction.phase : inTests.phase
    }

    /// The account that the last `account.linked` moved it to; one of tests moves no line of
    /// production (G9.3).
    public var linkedAccount: AccountID<S>? {
        isOfProduction || inProduction.isLinked
            ? inProduction.linkedAccount : inTests.linkedAccount
    }

    /// The account that its facts name first; those of tests count where no others do (G9.3).
    var namedAccount: AccountID<S>? { inProduction.account.value ?? inTests.account.value }

    /// The account that it belongs to by what counts: the one that it was linked to, else the one
    /// named first.
    public var account: AccountID<S>? {
        linkedAccount ?? inProduction.account.value
            ?? (isOfProduction ? nil : inTests.account.value)
    }
}
