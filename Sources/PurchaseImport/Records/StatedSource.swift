import PurchaseEvents

/// A fact that a source states, with the envelope of its event.
struct StatedFact: Hashable {
    var fact: Fact<Written>
    var account: String?
    var signedAt: Timestamp?
    /// The name of the statement, if the App Store may send it in several records; the log records
    /// each name once.
    var statement: String?
    /// Whether the log records the fact only where an earlier change of the line's plan is open,
    /// because nothing else in the import took the change back (G7.1).
    ///
    /// Such facts are the last of their record: the `id`s of the others count them.
    var endsOpenChange = false
    /// Whether a transaction is stated without a revocation, which reverses a refund that an
    /// earlier statement of the import knows (G6.9).
    var showsNoRefund = false
}

/// The statements of one record, before they have a place in a log.
///
/// A source depends only on its record: in every import the record has the same identity and states
/// the same facts, so importing it again adds nothing.
struct StatedSource {
    /// The record's own identifier, or the hash of its content.
    var identity: String
    /// The hash of a version 2 notification's content, which detects other content with the same
    /// identifier; `nil` for other records.
    var content: String?
    var place: ImportPlace
    var app: String?
    var environment: Environment?
    /// The latest past date of the record, or `nil` if it has no trusted date.
    var date: Timestamp?
    /// `notification.received`, or `nil` if the record isn't a notification.
    var received: StatedFact?
    /// Whether the log records each arrival, as for version 1 notifications, which have no
    /// identifier; otherwise a repeated record adds nothing.
    var recordsEachArrival = false
    var facts: [StatedFact] = []
}
