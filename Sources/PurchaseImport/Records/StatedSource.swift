import PurchaseEvents

/// A fact that a source states, with what the event around it says.
struct StatedFact: Hashable {
    var fact: Fact<Written>
    var account: String?
    var signedAt: Timestamp?
}

/// What one document states, before it has a place in a log.
///
/// It depends on the document alone, not on what is imported beside it: the same document has the
/// same identity and states the same facts in every import, so appending it again adds nothing.
struct StatedSource {
    /// The hash of the content: the same for the same content, and for no other.
    var identity: String
    /// Where the document begins.
    var place: ImportPlace
    /// The app's bundle identifier.
    var app: String?
    /// Where the facts are true.
    var environment: Environment?
    /// The greatest of its dates that has passed; `nil` where it has none that is trusted.
    var date: Timestamp?
    /// `notification.received`, which is recorded each time; `nil` where it is no notification.
    var received: StatedFact?
    /// The facts that it states, recorded once.
    var facts: [StatedFact] = []
}
