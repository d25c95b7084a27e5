import PurchaseEvents

/// A fact that a source states, with what the event around it says.
struct StatedFact: Hashable {
    var fact: Fact<Written>
    var account: String?
    var signedAt: Timestamp?
    /// The statement that it is, where the App Store may send the same one within several records;
    /// it is recorded once.
    var statement: String?
}

/// What one record states, before it has a place in a log.
///
/// It depends on the record alone, not on what is imported beside it: the same record has the same
/// identity and states the same facts in every import, so appending it again adds nothing.
struct StatedSource {
    /// The record's own identifier, or the hash of its content.
    var identity: String
    /// The hash of the content where the identity is none, so that another content is noticed.
    var content: String?
    /// Where the record begins.
    var place: ImportPlace
    /// The app's bundle identifier.
    var app: String?
    /// Where the facts are true.
    var environment: Environment?
    /// The greatest of its dates that has passed; `nil` where it has none that is trusted.
    var date: Timestamp?
    /// `notification.received`; `nil` where it is no notification.
    var received: StatedFact?
    /// Whether each arrival is recorded, as the notifications of version 1 are that have no
    /// identifier; else a record that comes again adds nothing.
    var isReceivedAgain = false
    /// The facts that it states, recorded once.
    var facts: [StatedFact] = []
}
