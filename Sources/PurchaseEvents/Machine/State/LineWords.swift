/// What is said of a line as a whole, in production or of tests: what is said of tests is kept
/// apart from what is said in production, for environments never mix (G9.3).
struct LineWords<S: Spelling>: Hashable, Sendable {
    /// Where it stands, by what was said last.
    var phase = LinePhase.unseen
    /// What makes its periods longer: extensions that name no transaction, and grace periods.
    var extensions = Extensions()
    var graces = Graces()
    /// Whom facts name first.
    var account = StatedValue<AccountID<S>>()
    /// The account that the latest `account.linked` moved it to, and whether there was any.
    private(set) var linkedAccount: AccountID<S>?
    private(set) var isLinked = false

    /// Takes an `account.linked`; one that names no account moves nothing.
    mutating func link(to account: AccountID<S>?) {
        linkedAccount = account ?? linkedAccount
        isLinked = true
    }
}
