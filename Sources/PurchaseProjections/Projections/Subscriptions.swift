import PurchaseEvents

/// The subscriptions: periods, lapses, status at an instant, and readable content (G6).
///
/// One row for each subscription whose first period in the log's environment has started (G9.3).
/// Content that is published during a period or its grace, or is the newest of its series at its
/// start, stays readable (G6.3), unless only a refunded or revoked period opened it (G6.9).
public struct Subscriptions: Projection, CatalogueProjection {
    /// The argument of `show`.
    public static let name = "subscriptions"
    /// The question that the projection answers.
    public static let summary = "subscription lines: periods, lapses, status and readable content"
    /// The event types that the projection folds besides the facts.
    public static let reads = EventTypes()
    package static let identity = ["original"]
    package static let dependencies = RowDependencies(reads: .content)

    /// The status of a subscription.
    public enum Status: String, CaseIterable, Hashable, Sendable {
        /// In a period.
        case active
        /// In the grace period after a failed renewal.
        case grace
        /// Without access, while the store still retries the renewal (G6.6).
        case retry
        /// Without access.
        case expired
        /// Without access, because the latest period was refunded or family sharing ended.
        case refunded, revoked
    }

    /// Creates the projection at the beginning of a log.
    public init() {}

    /// Reads an event that the facts already include.
    public mutating func observe(_ event: LogEvent, on line: Line, _ facts: Facts) {}

    /// Calls `body` with each row, as known now and true at an instant.
    public func forEachRow(
        _ facts: Facts, asOf instant: Timestamp, _ body: (SubscriptionRow) -> Void
    ) {
        let published = PublishedContent(facts, asOf: instant)
        let (names, texts) = (facts.names, RowTexts(facts.names))
        let owned = facts.subscriptions.indices.map { index in
            let subscription = facts.subscriptions[index]
            return (
                account: facts.owner(of: subscription), original: subscription.original,
                index: index
            )
        }
        let sorted = owned.inOrder(names, account: { $0.account }) { left, right in
            RowOrder(names).by(left.account, right.account).by(left.original, right.original)
                .precedes
        }
        for one in sorted {
            let subscription = facts.subscriptions[one.index]
            let (periods, statements) = shown(of: subscription, facts, asOf: instant)
            guard let last = periods.lastHeld else { continue }
            // A paid period counts over the grace of another.
            let current =
                periods.last { $0.grants(at: instant) && instant < $0.end }
                ?? periods.last { $0.grants(at: instant) } ?? last
            let group =
                facts.group(of: current)
                ?? periods.reversed().lazy.compactMap { facts.group(of: $0) }.first
            body(
                SubscriptionRow(
                    account: texts.text(of: one.account),
                    original: texts.text(of: subscription.original),
                    group: texts.text(of: group),
                    product: texts.text(of: current.product),
                    status: status(statements, current, facts, asOf: instant),
                    autoRenew: statements.autoRenew,
                    next: texts.text(of: next(statements, current, periods, facts)),
                    plan: facts[current.transaction].terms.plan,
                    commitment: SubscriptionRow.Commitment(
                        facts[current.transaction].terms, renews: statements.renewsCommitment),
                    periods: periods.map { SubscriptionRow.Stretch($0, texts) },
                    lapses: lapses(periods),
                    content: published.readable(in: periods, facts).map(names.text)))
        }
    }

    /// The periods and statements to show: those of the log's own environment.
    private func shown(
        of subscription: SubscriptionFacts, _ facts: Facts, asOf instant: Timestamp
    ) -> ([Period], SubscriptionStatements) {
        let periods = facts.periods(of: subscription, asOf: instant).filter {
            facts[$0.transaction].isStated(in: facts.logEnvironment)
        }
        return (periods, subscription[facts.logEnvironment])
    }

    /// The status, from the period at the instant or the last period.
    private func status(
        _ statements: SubscriptionStatements, _ period: Period, _ facts: Facts,
        asOf instant: Timestamp
    ) -> Status {
        if period.grants(at: instant) { return instant < period.end ? .active : .grace }
        switch period.ended {
        case .refunded: return .refunded
        case .revoked: return .revoked
        case .upgraded, nil: break
        }
        // A statement made before the last period started concerns an earlier period.
        let stated = statements.retry.time(facts.versions)
        guard let stated, stated >= period.start else { return .expired }
        switch statements.retry.value {
        case .failed(let retrying, _): return retrying ?? true ? .retry : .expired
        case .graceExpired: return .retry
        case .renewed, .expired, nil: return .expired
        }
    }

    /// The product after a pending change of plan; `nil` if none is pending (G6.5).
    ///
    /// A change in the last day before a renewal, which the store may have made by then (G6.6),
    /// waits for the next one.
    private func next(
        _ statements: SubscriptionStatements, _ period: Period, _ periods: [Period],
        _ facts: Facts
    ) -> ProductHandle? {
        guard let change = statements.planChange.value, change.next != period.product,
            let stated = statements.planChange.time(facts.versions)
        else { return nil }
        if stated >= period.start { return change.next }
        let before = periods.last { $0.start < period.start }
        guard change.effect == .nextRenewal, before?.end ?? period.start == period.start,
            stated >= period.start.advanced(byMilliseconds: -Timestamp.day)
        else { return nil }
        return change.next
    }

    /// The gaps in access between periods (G6.2); the status shows a gap that still lasts.
    private func lapses(_ periods: [Period]) -> [SubscriptionRow.Lapse] {
        var lapses: [SubscriptionRow.Lapse] = []
        var covered: Timestamp?
        for period in periods where period.accessEnd > period.start {
            if let covered, covered < period.start {
                lapses.append(SubscriptionRow.Lapse(from: covered, until: period.start))
            }
            covered = max(covered ?? period.accessEnd, period.accessEnd)
        }
        return lapses
    }
}

/// A row of ``Subscriptions``.
public struct SubscriptionRow: ProjectionRow {
    /// The part of a period that gives access, without grace.
    public struct Stretch: Hashable, Sendable {
        /// The product.
        public let product: String?
        /// The transaction that states the period; of several, the first by bytes.
        public let transaction: String
        /// The start and end of the period; the end is earlier if something ended the period.
        public let from: Timestamp, until: Timestamp
        /// Why the period ended early: `refunded`, `revoked` or `upgraded`.
        public let ended: String?

        init(_ period: Period, _ texts: RowTexts) {
            product = texts.text(of: period.product)
            transaction = texts.text(of: period.transaction)
            from = period.start
            until = min(period.end, period.accessEnd)
            ended = period.ended?.rawValue
        }
    }

    /// The commitment of a monthly plan.
    public struct Commitment: Hashable, Sendable {
        /// The number of the period within the commitment, and the number of its periods.
        public let number: Int64?, of: Int64?
        /// When the commitment ends.
        public let until: Timestamp?
        /// The price of the whole commitment, in thousandths of the currency's unit.
        public let price: Int64?
        /// Whether the commitment renews when it ends.
        public let renews: Bool?

        /// Creates the commitment that a period states; `nil` if the period states none.
        init?(_ terms: BillingTerms, renews: Bool?) {
            var stated = terms
            stated.plan = nil
            guard !stated.isEmpty else { return nil }
            (number, of, until, price) = (terms.number, terms.of, terms.until, terms.price)
            self.renews = renews
        }
    }

    /// A gap in access.
    public struct Lapse: Hashable, Sendable {
        /// The start and end of the gap.
        public let from: Timestamp, until: Timestamp
    }

    /// The account; `nil` if unknown.
    public let account: String?
    /// The original that keys the subscription.
    public let original: String
    /// The subscription group, if known.
    public let group: String?
    /// The product of the period at the instant, otherwise of the last period.
    public let product: String?
    /// The status of the subscription.
    public let status: Subscriptions.Status
    /// Whether the subscription renews automatically; `nil` if not stated.
    public let autoRenew: Bool?
    /// The product that the subscription changes to; `nil` if no change is pending.
    public let next: String?
    /// How the subscriber pays for the period, if stated.
    public let plan: BillingPlan?
    /// The commitment that the period belongs to, if stated.
    public let commitment: Commitment?
    /// The periods that had started, by start.
    public let periods: [Stretch]
    /// The gaps in access between periods.
    public let lapses: [Lapse]
    /// The readable content, sorted by bytes.
    public let content: [String]

    /// Writes the row's keys and values in the order of tool.md.
    public func write<Writer: RowWriter & ~Copyable>(to writer: inout Writer) {
        writer.write("account", account)
        writer.write("original", original)
        writer.write("group", group)
        writer.write("product", product)
        writer.write("status", status.rawValue)
        writer.write("autoRenew", autoRenew)
        writer.write("next", next)
        writer.write("plan", plan?.rawValue)
        if let commitment {
            writer.write("commitment") { writer in
                writer.write("number", commitment.number)
                writer.write("of", commitment.of)
                writer.write("until", commitment.until)
                writer.write("price", commitment.price)
                writer.write("renews", commitment.renews)
            }
        }
        writer.write("periods", periods) { period, writer in
            writer.write("product", period.product)
            writer.write("transaction", period.transaction)
            writer.write("from", period.from)
            writer.write("until", period.until)
            writer.write("ended", period.ended)
        }
        if !lapses.isEmpty {
            writer.write("lapses", lapses) { lapse, writer in
                writer.write("from", lapse.from)
                writer.write("until", lapse.until)
            }
        }
        if !content.isEmpty { writer.write("content", content) }
    }
}
