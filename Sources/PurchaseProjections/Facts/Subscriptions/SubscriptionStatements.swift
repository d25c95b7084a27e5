import PurchaseEvents

/// Statements about a subscription as a whole.
///
/// Production and test statements are kept apart, because environments never mix (G9.3).
struct SubscriptionStatements: Sendable, SnapshottedElement {
    /// Extensions that name no transaction, and grace periods: both lengthen the subscription's
    /// periods.
    var extensions = RenewalExtensions()
    var gracePeriods = GracePeriods()
    /// Whether renewal was last turned on or off, and when that was stated.
    private var renewing = Register<Bool>()
    /// Whether the subscription's commitment renews automatically.
    private var renewingCommitment = Register<Bool>()
    private var turnedAt = Timestamp.earliest
    /// When the latest period that a start or renewal states was bought or began, whichever was
    /// first: the store renews up to a day ahead (G6.6).
    private var renewedAt = Timestamp.earliest
    var planChange = Register<PlanChange>()
    var retry = Register<RetryState>()
    var expiration = Register<Expiration>()
    var consent = Register<PriceConsent>()
    /// The account that the earliest statement names.
    var account = Register<AccountHandle>()
    /// The group that the latest statement of any of the subscription's products names.
    var group = Register<GroupHandle>()
    /// The account of the latest `account.linked` that names one, and the line and the `at` of the
    /// latest `account.linked`; 0 if there is none.
    private(set) var linkedAccount: AccountHandle?
    private(set) var linkedLine: LineNumber = 0
    private(set) var linkedAt = Timestamp.earliest

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&extensions).visit(&gracePeriods).visit(&renewing).visit(&renewingCommitment)
        visitor.visit(&turnedAt).visit(&renewedAt).visit(&planChange).visit(&retry)
        visitor.visit(&expiration).visit(&consent).visit(&account).visit(&group)
        visitor.visit(&linkedAccount).visit(&linkedLine).visit(&linkedAt)
    }

    /// The number of extensions and of statements about grace periods.
    var extent: Int { extensions.count + gracePeriods.count }

    /// Whether the subscription renews automatically; `nil` if renewal was never turned on or off.
    ///
    /// A start or renewal says that renewal was on when its period was bought, and no later.
    var autoRenew: Bool? { renewing.value.map { $0 || turnedAt < renewedAt } }

    /// Whether the subscription's commitment renews automatically; `nil` if not stated.
    var renewsCommitment: Bool? { renewingCommitment.value }

    /// Records that the renewal of the subscription or of its commitment was turned on or off.
    mutating func setAutoRenew(
        _ isOn: Bool, ofCommitment: Bool, _ version: VersionID, _ versions: inout Versions
    ) {
        guard !ofCommitment else { return renewingCommitment.assign(isOn, version, &versions) }
        renewing.assign(isOn, version, &versions)
        turnedAt = renewing.time(versions) ?? turnedAt
    }

    mutating func take(
        _ event: LogEvent, at time: Timestamp, _ version: VersionID,
        _ versions: inout Versions, _ line: LineNumber
    ) {
        account.assignEarliest(event.account, version, &versions)
        if event.type == .renewalFailed, case .renewalFailed(let payload) = event.fact {
            let state = RetryState.failed(
                retrying: payload.retrying, graceExpiresAt: payload.graceExpiresAt)
            retry.assign(state, version, &versions)
            if let end = payload.graceExpiresAt { gracePeriods.add(end: end, statedAt: time) }
        } else if event.type == .renewalGraceExpired {
            retry.assign(.graceExpired, version, &versions)
            gracePeriods.addEnd(statedAt: time, line)
        } else if event.type == .renewalExpired, case .renewalExpired(let payload) = event.fact {
            let stated = Expiration(reason: payload.reason, expiresAt: payload.expiresAt)
            expiration.assign(stated, version, &versions)
            retry.assign(.expired, version, &versions)
            gracePeriods.addExpiry(statedAt: time, expiresAt: payload.expiresAt, line)
        } else if event.type == .renewalTurnedOff,
            case .renewalTurnedOff(_, let commitment) = event.fact
        {
            setAutoRenew(false, ofCommitment: commitment == true, version, &versions)
        } else if event.type == .renewalTurnedOn,
            case .renewalTurnedOn(_, let commitment) = event.fact
        {
            setAutoRenew(true, ofCommitment: commitment == true, version, &versions)
        } else if event.type == .renewalPlanChanged,
            case .renewalPlanChanged(let payload) = event.fact
        {
            let change = PlanChange(next: payload.next, effect: payload.effect)
            planChange.assign(change, version, &versions)
        } else if event.type == .renewalPriceIncreased,
            case .renewalPriceIncreased(let payload) = event.fact
        {
            consent.assign(payload.consent, version, &versions)
        } else if event.type == .renewalExtended,
            case .renewalExtended(let payload) = event.fact, payload.transaction == nil
        {
            extensions.assign(payload.expiresAt, version, &versions)
        }
    }

    mutating func recordRenewal(at instant: Timestamp) { renewedAt = max(renewedAt, instant) }

    /// Records an `account.linked`; one without an account moves nothing.
    mutating func link(to account: AccountHandle?, _ line: LineNumber, at instant: Timestamp) {
        linkedAccount = account ?? linkedAccount
        (linkedLine, linkedAt) = (line, instant)
    }
}

extension SubscriptionFacts {
    /// Statements made in sandbox or xcode, which count as one environment; most subscriptions have
    /// none.
    var inTests: SubscriptionStatements { tests.first ?? SubscriptionStatements() }

    /// Statements made in an environment; sandbox and xcode count as one.
    subscript(environment: Environment) -> SubscriptionStatements {
        environment == .production ? inProduction : inTests
    }

    /// Changes the statements made in an environment.
    ///
    /// A closure, because an accessor with two places to yield allocates its frame.
    @inline(__always)
    mutating func change(
        in environment: Environment, _ body: (inout SubscriptionStatements) -> Void
    ) {
        if environment == .production { return body(&inProduction) }
        if tests.isEmpty { tests = [SubscriptionStatements()] }
        body(&tests[0])
    }

    /// The statements that count: those of production for a production subscription, otherwise
    /// those of tests.
    private var statements: SubscriptionStatements { isOfProduction ? inProduction : inTests }
}

// Values from the statements that count.
extension SubscriptionFacts {
    /// Whether the subscription renews automatically, if stated.
    public var autoRenew: Bool? { statements.autoRenew }
    /// Whether the commitment renews automatically, if stated.
    public var renewsCommitment: Bool? { statements.renewsCommitment }
    /// The latest change of plan.
    public var planChange: PlanChange? { statements.planChange.value }
    /// The latest stated result of a renewal.
    public var retry: RetryState? { statements.retry.value }
    /// Why and when the subscription expired, from the latest such statement.
    public var expiration: Expiration? { statements.expiration.value }
    /// The consent stated in the latest price increase.
    public var consent: PriceConsent? { statements.consent.value }

    /// The account that the subscription was last linked to; `nil` if no `account.linked` names
    /// one.
    public var linkedAccount: AccountHandle? {
        isLinkedByTests ? tests[0].linkedAccount : inProduction.linkedAccount
    }
    /// The log line of the latest `account.linked`; 0 if there is none.
    public var linkedLine: LineNumber {
        isLinkedByTests ? tests[0].linkedLine : inProduction.linkedLine
    }
    var linkedAt: Timestamp { isLinkedByTests ? tests[0].linkedAt : inProduction.linkedAt }
    /// Whether a link made in a test environment counts; it never moves a production subscription.
    private var isLinkedByTests: Bool {
        !isOfProduction && inProduction.linkedLine == 0 && !tests.isEmpty
    }
    /// The account that owns the subscription according to the statements that count; `nil` if they
    /// name none.
    var account: AccountHandle? {
        linkedAccount ?? inProduction.account.value ?? (isOfProduction ? nil : testAccount)
    }
    /// The first account that statements name; test statements count only if no others name one
    /// (G9.3).
    var namedAccount: AccountHandle? { inProduction.account.value ?? testAccount }
    /// The first account that statements made in a test environment name.
    var testAccount: AccountHandle? { tests.isEmpty ? nil : tests[0].account.value }

    /// The number of transactions, extensions and statements about grace periods that the
    /// subscription's periods depend on.
    var extent: Int { Int(transactionCount) + inProduction.extent + (tests.first?.extent ?? 0) }

    var hasGrace: Bool {
        !inProduction.gracePeriods.isEmpty || tests.contains { !$0.gracePeriods.isEmpty }
    }
}
