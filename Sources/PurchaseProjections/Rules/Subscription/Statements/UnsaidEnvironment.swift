import PurchaseEvents

/// What the log can't tell of environments: one that an event leaves out is the log's, which its
/// first line would say.
extension Facts {
    /// Why an event may be of another environment than it seems; `nil` where it says its own, or
    /// the log is known from its beginning.
    func environmentMayBeMissing(_ event: Event<Interned>) -> String? {
        event.environment == nil ? environmentMayBeMissing : nil
    }

    /// Why what names no environment may be of another than it seems; `nil` where the log is known
    /// from its beginning.
    var environmentMayBeMissing: String? {
        guard startsInTheMiddle, let missed = mayHaveMissed else { return nil }
        return "the log.opened that may say the log's environment is missing: \(missed)"
    }
}
