import PurchaseEvents

/// What is said of a line as a whole, in production or of tests: what is said of tests is kept
/// apart from what is said in production, for environments never mix (G9.3).
struct LineWords: Sendable {
    /// What makes its periods longer: extensions that name no transaction, and grace periods.
    var extensions = Extensions()
    var graces = Graces()
    /// Whether it renews by itself: what was turned on and off says, and that it runs.
    private var renewing = Register<Bool>()
    private var saysAutoRenew = false
    var planChange = Register<PlanChange>()
    var retry = Register<RetryState>()
    var expiration = Register<Expiration>()
    var consent = Register<PriceConsent>()
    /// Whom facts name first.
    var account = Register<AccountID<Interned>>()
    /// The account that the latest `account.linked` moved it to, and the line of that.
    private(set) var linkedAccount: AccountID<Interned>?
    private(set) var linkedLine: LineNumber = 0

    /// Whether it renews by itself, where that was ever turned on or off: what is turned off is on
    /// again where the line started or was renewed since.
    var autoRenew: Bool? { saysAutoRenew ? renewing.value : nil }

    /// Takes in that its renewal was turned on or off.
    mutating func turn(_ isOn: Bool, _ version: VersionID, _ versions: inout Versions) {
        saysAutoRenew = true
        renewing.say(isOn, version, &versions)
    }

    /// Takes in that it started or was renewed.
    mutating func run(_ version: VersionID, _ versions: inout Versions) {
        renewing.say(true, version, &versions)
    }

    /// Takes in an `account.linked`; one that names no account moves nothing.
    mutating func link(to account: AccountID<Interned>?, _ line: LineNumber) {
        linkedAccount = account ?? linkedAccount
        linkedLine = line
    }
}

extension LineFacts {
    /// What is said of tests, sandbox and xcode being one; few lines have it beside the other.
    var inTests: LineWords { tests.first ?? LineWords() }

    /// What is said in an environment, sandbox and xcode being one.
    subscript(environment: Environment) -> LineWords {
        get { environment == .production ? inProduction : inTests }
        _modify {
            if environment == .production {
                yield &inProduction
            } else {
                if tests.isEmpty { tests = [LineWords()] }
                yield &tests[0]
            }
        }
    }

    /// What counts: what is said in production, or of tests where the line is one of tests.
    private var words: LineWords { isOfProduction ? inProduction : inTests }
}

// What the statements that count say.
extension LineFacts {
    /// Whether the line renews by itself, where a statement says.
    public var autoRenew: Bool? { words.autoRenew }
    /// The latest change of plan.
    public var planChange: PlanChange? { words.planChange.value }
    /// What the latest statement about a failed or a successful renewal says.
    public var retry: RetryState? { words.retry.value }
    /// Why and when the line expired by the latest statement.
    public var expiration: Expiration? { words.expiration.value }
    /// Whether the latest price increase was agreed to.
    public var consent: PriceConsent? { words.consent.value }

    /// The account that the latest `account.linked` moved it to.
    public var linkedAccount: AccountID<Interned>? {
        isLinkedByTests ? tests[0].linkedAccount : inProduction.linkedAccount
    }
    /// The line of that `account.linked`.
    public var linkedLine: LineNumber {
        isLinkedByTests ? tests[0].linkedLine : inProduction.linkedLine
    }
    /// Whether a link of tests counts: it moves no line of production.
    private var isLinkedByTests: Bool {
        !isOfProduction && inProduction.linkedLine == 0 && !tests.isEmpty
    }
    /// The account that it belongs to by what counts; `nil` where that doesn't say.
    var account: AccountID<Interned>? {
        linkedAccount ?? inProduction.account.value ?? (isOfProduction ? nil : testAccount)
    }
    /// The account that its facts name first; those of tests count where no others do (G9.3).
    var namedAccount: AccountID<Interned>? { inProduction.account.value ?? testAccount }
    /// The account that its facts of tests name first.
    var testAccount: AccountID<Interned>? { tests.isEmpty ? nil : tests[0].account.value }

    /// Whether a grace period was ever stated, in any environment.
    var hasGrace: Bool {
        !inProduction.graces.isEmpty || tests.contains { !$0.graces.isEmpty }
    }
}
