import PurchaseEvents

/// What a signed record about one transaction or subscription gives all its facts.
struct SignedStatement {
    /// The unique name of the statement: its subject and the time of the signature, or the hash of
    /// an unsigned record.
    let name: String
    let account: String?
    let environment: Environment?
    let signedAt: Timestamp?
    let place: ImportPlace

    /// Creates the statement of a record; `subject` begins with a prefix for the kind of record.
    init(_ opened: OpenedRecord, about subject: String, account: String?) {
        self.account = account
        environment = opened.environment
        signedAt = opened.signedAt
        place = opened.place
        let dated = signedAt.map { "\(subject):\($0.milliseconds)" }
        // In the `id` of an event, the number of the fact follows.
        let room = NameCheck.maximumLength - 8
        if opened.isSigned, let dated, dated.utf8.count <= room {
            name = dated
        } else {
            name = SHA256.shortHex(opened.content)
        }
    }

    /// A fact as its own statement, the same in every source.
    func stated(_ fact: Fact<Written>, number: Int) -> StatedFact {
        StatedFact(fact: fact, account: account, signedAt: signedAt, statement: "\(name)#\(number)")
    }

    /// The record as the source of its facts alone.
    func source(_ facts: [Fact<Written>], app: String?, date: Timestamp?) -> StatedSource {
        StatedSource(
            identity: name, place: place, app: app, environment: environment, date: date,
            facts: facts.enumerated().map { index, fact in stated(fact, number: index + 1) })
    }
}
