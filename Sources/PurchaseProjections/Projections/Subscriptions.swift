import PurchaseEvents

/// The subscription lines: their periods and lapses, how each stands at an instant, and what may
/// be read (G6).
///
/// A row a line whose first period has started, of every environment; of one that has periods in
/// production nothing counts that is said of tests (G9.3). What is published during a
/// period, its grace included, or is the newest at its start, stays readable (G6.3); what only a
/// refunded or revoked period opened does not (G6.9).
public struct Subscriptions: Projection {
    /// The word that `show` takes.
    public static let name = "subscriptions"
    /// The question that it answers.
    public static let summary = "subscription lines: periods, lapses, status, what may be read"
    /// The types of event that it folds beside the facts.
    public static let reads = EventTypes()

    /// How a line stands.
    public enum Status: String, CaseIterable, Hashable, Sendable {
        /// In a period.
        case active
        /// After a period whose renewal failed, in its grace period.
        case grace
        /// Without access, while the store still tries to renew (G6.6).
        case retry
        /// Without access.
        case expired
        /// Without access, since its latest period was refunded, or family sharing ended.
        case refunded, revoked
    }

    /// The projection at the beginning of a log.
    public init() {}

    /// Reads an event that the facts have taken in already.
    public mutating func observe(_ event: Event<Interned>, on line: Line, _ facts: Facts) {}

    /// Calls `body` with each row by what is known now, as true at an instant.
    public func forEachRow(
        _ facts: Facts, asOf instant: Timestamp, _ body: (SubscriptionRow) -> Void
    ) {
        let library = Library(facts, asOf: instant)
        let (names, texts) = (facts.names, RowTexts(facts.names))
        let owned = facts.lines.indices.map { index in
            let line = facts.lines[index]
            return OwnedLine(
                account: line.account ?? facts.owner(of: line.original),
                original: line.original, index: index)
        }
        for one in owned.inOrder(names, account: \.account, { $0.precedes($1, names) }) {
            let line = facts.lines[one.index]
            let (periods, words) = told(of: line, facts, asOf: instant)
            guard let last = periods.last else { continue }
            let current = periods.last { $0.grants(at: instant) } ?? last
            body(
                SubscriptionRow(
                    account: texts.text(of: one.account), original: texts.text(of: line.original),
                    group: texts.text(of: facts.group(of: current)),
                    product: texts.text(of: current.product),
                    status: status(words, current, facts, asOf: instant),
                    autoRenew: words.autoRenew,
                    next: texts.text(of: next(words, current, facts)),
                    periods: periods.map { SubscriptionRow.Stretch($0, texts) },
                    lapses: lapses(periods),
                    content: library.readable(in: periods, facts).map(names.text)))
        }
    }

    /// The periods of a line that are told, and what is said of it: of production, or of tests
    /// where it has no period in production.
    private func told(
        of line: LineFacts, _ facts: Facts, asOf instant: Timestamp
    ) -> ([Period], LineWords) {
        let periods = facts.periods(of: line, asOf: instant)
        let own = periods.filter { facts.isAttested($0.transaction, in: .production) }
        return own.isEmpty ? (periods, line.inTests) : (own, line.inProduction)
    }

    /// How a line stands by its period at the instant, or else by its last.
    private func status(
        _ words: LineWords, _ period: Period, _ facts: Facts, asOf instant: Timestamp
    ) -> Status {
        if period.grants(at: instant) { return instant < period.end ? .active : .grace }
        switch period.ended {
        case .refunded: return .refunded
        case .revoked: return .revoked
        case .upgraded, nil: break
        }
        // What was stated before the last period started was of an earlier one.
        let stated = words.retry.time(facts.versions)
        guard let stated, stated >= period.start else { return .expired }
        switch words.retry.value {
        case .failed(let retrying, _): return retrying ?? true ? .retry : .expired
        case .graceExpired: return .retry
        case .renewed, .expired, nil: return .expired
        }
    }

    /// The product that a change of plan leads to, while it hasn't taken effect (G6.5).
    private func next(
        _ words: LineWords, _ period: Period, _ facts: Facts
    ) -> ProductID<Interned>? {
        guard let change = words.planChange.value, change.next != period.product,
            let stated = words.planChange.time(facts.versions), stated >= period.start
        else { return nil }
        return change.next
    }

    /// The gaps in access between periods (G6.2); one that still lasts is told by the status.
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

/// A subscription line and whose it is.
private struct OwnedLine {
    var account: AccountID<Interned>?
    var original: TransactionID<Interned>
    var index: Int

    func precedes(_ other: OwnedLine, _ names: NameTable) -> Bool {
        RowOrder(names).by(account, other.account).by(original, other.original).precedes
    }
}

/// A row of ``Subscriptions``.
public struct SubscriptionRow: ProjectionRow {
    /// A period as far as it grants.
    public struct Stretch: Hashable, Sendable {
        /// The product.
        public let product: String?
        /// The transaction that names it; of several the least by its bytes.
        public let transaction: String
        /// Where it starts, and where it ends: earlier than it says where something ended it.
        public let from: Timestamp, until: Timestamp
        /// `refunded`, `revoked` or `upgraded`, where it was ended.
        public let ended: String?

        init(_ period: Period, _ texts: RowTexts) {
            product = texts.text(of: period.product)
            transaction = texts.text(of: period.transaction)
            from = period.start
            until = min(period.end, period.accessEnd)
            ended = period.ended?.rawValue
        }
    }

    /// A gap in access.
    public struct Lapse: Hashable, Sendable {
        /// Where it starts, and where it ends.
        public let from: Timestamp, until: Timestamp
    }

    /// The account; `nil` where no fact says.
    public let account: String?
    /// The original that keys the line.
    public let original: String
    /// The subscription group, where it is known.
    public let group: String?
    /// The product of the period at the instant, or else of the last.
    public let product: String?
    /// How the line stands.
    public let status: Subscriptions.Status
    /// Whether it renews by itself, where a statement says.
    public let autoRenew: Bool?
    /// The product that it changes to.
    public let next: String?
    /// The periods that had started, by their start.
    public let periods: [Stretch]
    /// The gaps between them.
    public let lapses: [Lapse]
    /// What may be read, by its bytes.
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
