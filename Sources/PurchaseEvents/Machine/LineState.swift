/// What is known of one line: the transactions that name one original (event-log.md, 4).
///
/// A subscription's line has periods; the line of any other purchase ties its restored
/// transactions to it, and says whose it is.
public struct LineState<S: Spelling>: Hashable, Sendable {
    /// Where it stands, by what was said last.
    public internal(set) var phase = LinePhase.unseen
    /// The account that the last `account.linked` moved it to.
    public internal(set) var linkedAccount: AccountID<S>?
    /// The transactions of the line, in the order in which they became known.
    public internal(set) var transactions: [TransactionID<S>] = []
    /// The grace periods that were stated; each counts as period for access.
    var graces: [Grace] = []
    /// The end that the latest extension without a transaction gave the period that had started.
    var extensionStated = StatedValue<Timestamp>()
    var accountStated = StatedValue<AccountID<S>>()

    /// The account that it belongs to: the one that it was linked to, else the one named first.
    public var account: AccountID<S>? { linkedAccount ?? accountStated.value }
}
