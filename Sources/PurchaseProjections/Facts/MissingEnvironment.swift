import PurchaseEvents

/// The gaps in what a log says about environments.
///
/// An event without an environment has the log's environment, which only the log's first line
/// states.
extension Facts {
    /// Why an event's environment may be wrong; `nil` if the event states it or the log is complete
    /// from its start.
    func environmentMayBeMissing(_ event: LogEvent) -> String? {
        event.environment == nil ? environmentMayBeMissing : nil
    }

    /// Why the environment of events that state none may be wrong; `nil` if the log is complete
    /// from its start.
    var environmentMayBeMissing: String? {
        guard startsInTheMiddle, let reason = incompleteReason else { return nil }
        return "the log.opened that may say the log's environment is missing: \(reason)"
    }

    /// Why a transaction may be another one than that which was finished: Xcode's test environment
    /// uses identifiers again. `nil` if it was not presented since, or if the log shows that it is
    /// of another environment.
    func reuseMayBeMissing(of transaction: TransactionHandle, _ event: LogEvent) -> String? {
        let known = self[transaction]
        guard known.finishedLine != 0,
            max(known.latestPurchasedLine, known.latestRestoredLine) > known.finishedLine
        else { return nil }
        return environmentMayBeMissing(event)
    }
}
