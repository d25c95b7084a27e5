import PurchaseEvents

/// A fold of a log into pending tasks and entitlements, which answers a ledger's questions; each
/// continues where the previous one ended.
///
/// This is the only part of a ledger that keeps names. Sendable because it is used under a lock.
final class LedgerFold: @unchecked Sendable {
    private let reader = LogReader()
    private var show: Show
    /// The number of bytes folded.
    private var offset: Int64 = 0

    /// Creates a fold of what was true by an instant; `nil` folds everything.
    init(asOf instant: Timestamp? = nil) {
        show = Show([Pending.self, Entitlements.self], names: reader.decoder.names, asOf: instant)
    }

    func goesBeyond(_ instant: Timestamp) -> Bool {
        show.facts.greatestAt.map { $0 > instant } ?? false
    }

    func follow(_ log: EventLog) throws(EventLogError) {
        let (source, end) = try log.bytes(from: offset)
        do {
            try reader.read(source) { line in
                show.observe(line)
                return true
            }
        } catch let problem as ReadProblem {
            throw .failed(.read, path: log.path, SystemError(code: problem.code))
        } catch {
            preconditionFailure("reading throws only ReadProblem, seen \(error)")
        }
        offset = end
    }

    /// The rows of a projection at an instant; no folded event may be later.
    func rows<Shown: Projection>(
        of projection: Shown.Type, account: AccountID<Written>?, asOf instant: Timestamp?
    ) -> [Shown.Row] {
        show.rows(of: projection, asOf: instant, account: account?.name)
    }
}
