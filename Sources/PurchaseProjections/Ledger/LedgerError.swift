import PurchaseEvents

/// Why a ledger did nothing: the guide forbids it, or the log couldn't take it.
public enum LedgerError: Error, Hashable, Sendable {
    /// It would break a rule; the log and what is known are as they were.
    case refused(Refusal)
    /// The log refused or failed; what it holds then is told by ``EventLogError``.
    case log(EventLogError)

    /// The refusal, where it is one.
    public var refusal: Refusal? {
        switch self {
        case .refused(let refusal): refusal
        case .log: nil
        }
    }
}

extension LedgerError: CustomStringConvertible {
    /// What is wrong and what was expected, in a line.
    public var description: String {
        switch self {
        case .refused(let refusal): refusal.description
        case .log(let error): error.description
        }
    }
}
