import PurchaseEvents

/// Why a ledger call failed: a rule forbids the action, or the log refused or failed.
public enum LedgerError: Error, Hashable, Sendable {
    /// The action would break a rule; the log and the ledger are unchanged.
    case refused(Refusal)
    /// The log refused or failed; the `EventLogError` says what the log holds afterwards.
    case log(EventLogError)

    init(_ failure: AppendFailure) {
        switch failure {
        case .refused(let refusal): self = .refused(refusal)
        case .log(let error): self = .log(error)
        }
    }

    /// The refusal; `nil` for an error of the log.
    public var refusal: Refusal? {
        switch self {
        case .refused(let refusal): refusal
        case .log: nil
        }
    }
}

extension LedgerError: CustomStringConvertible {
    /// One line that says what is wrong and what was expected.
    public var description: String {
        switch self {
        case .refused(let refusal): refusal.description
        case .log(let error): error.description
        }
    }
}
