import PurchaseEvents

/// A fold of a ledger's log that goes on from where it was when it was asked last.
///
/// It is the one part of a ledger that keeps names, so it is made when it is asked for the first
/// time, and may be let go at any time.
struct KeptFold: @unchecked Sendable {
    /// `nil` before the first question. One thread at a time is in it.
    var fold: LedgerFold?
}

/// A log folded into what is pending and what accounts are entitled to.
final class LedgerFold {
    private let reader = LogReader()
    private var show: Show
    /// How many bytes of the log are folded.
    private var offset: Int64 = 0

    /// A fold of what was true by an instant; `nil`: of everything.
    init(asOf instant: Timestamp? = nil) {
        show = Show(
            [Pending.self, Entitlements.self], names: reader.decoder.names, asOf: instant)
    }

    /// Whether events of later than an instant are folded.
    func goesBeyond(_ instant: Timestamp) -> Bool {
        show.facts.greatestAt.map { $0 > instant } ?? false
    }

    /// Folds what the log has had acknowledged since.
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
            preconditionFailure("reading throws nothing but a problem of reading, seen \(error)")
        }
        offset = end
    }

    /// The rows of a projection, as true at an instant that nothing folded is later than.
    func rows<Shown: Projection>(
        of projection: Shown.Type, account: AccountID<Written>?, asOf instant: Timestamp?
    ) -> [Shown.Row] {
        show.rows(of: projection, asOf: instant, account: account?.name)
    }
}
