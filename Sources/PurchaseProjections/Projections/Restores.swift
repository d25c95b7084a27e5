import PurchaseEvents

/// The products that each account can restore, and the result of the latest restore (G1.2, G8).
///
/// One row for each original and product that is owed; consumables are never restored. A request
/// that names no account may be any account's. A product found unlocked at a launch counts as
/// granted.
public struct Restores: Projection, CatalogueProjection {
    /// The argument of `show`.
    public static let name = "restores"
    /// The question that the projection answers.
    public static let summary =
        "what each account can restore, and whether the latest restore granted it"
    /// The event types that the projection folds besides the facts.
    public static let reads = EventTypes(.restoreRequested, .deliveryUnlocked)
    package static let identity = ["account", "product", "original"]
    package static let dependencies = RowDependencies(reads: .requests)

    /// The state of a product that can be restored.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// Owed, and either not requested, bought after the latest request, or granted by something
        /// other than a restore since the request.
        case held
        /// Granted by a restored transaction since the latest request, and not withdrawn since.
        case restored
        /// Owed and requested, but not granted.
        case notRestored
    }

    private struct Request: Sendable {
        var line: LineNumber
        var at: Timestamp
    }

    private var requests: [AccountHandle?: Request] = [:]
    /// The line at which a product was last found unlocked.
    private var unlocked: [Holder: LineNumber] = [:]

    package mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&requests).visit(&unlocked)
    }

    /// Creates the projection at the beginning of a log.
    public init() {}

    /// Reads an event that the facts already include.
    public mutating func observe(_ event: LogEvent, on line: Line, _ facts: Facts) {
        guard facts.environment(of: event) == facts.logEnvironment else { return }
        if case .deliveryUnlocked(let product) = event.fact {
            unlocked[Holder(account: event.account, product: product)] = line.number
        } else {
            requests.updateValue(Request(line: line.number, at: event.at), forKey: event.account)
        }
    }

    /// Calls `body` with each row, as known now and true at an instant.
    public func forEachRow(_ facts: Facts, asOf instant: Timestamp, _ body: (RestoreRow) -> Void) {
        let holdings = facts.holdings(asOf: instant).filter(\.isActive)
        let (names, texts) = (facts.names, RowTexts(facts.names))
        let sorted = holdings.inOrder(names, account: \.account) { left, right in
            RowOrder(names).by(left.account, right.account).by(left.product, right.product)
                .by(left.original, right.original).precedes
        }
        let latest = requests.values.max { $0.line < $1.line }
        for holding in sorted {
            body(RestoreRow(holding, state(of: holding, latestOfAll: latest), texts))
        }
    }

    private func state(of holding: Holding, latestOfAll latest: Request?) -> State {
        let found = holding.account.map { latestRequest(of: $0) } ?? latest
        guard let request = found else { return .held }
        let grant = holding.grant
        if grant.restoredLine > max(request.line, grant.withdrawnLine) { return .restored }
        let isGranted = grant.stands || unlockedLine(of: holding) > grant.withdrawnLine
        return isGranted || holding.since > request.at ? .held : .notRestored
    }

    private func latestRequest(of account: AccountHandle) -> Request? {
        [requests[account], requests[nil]].compactMap { $0 }.max { $0.line < $1.line }
    }

    private func unlockedLine(of holding: Holding) -> LineNumber {
        guard let product = holding.product else { return 0 }
        let unnamed = unlocked[Holder(account: nil, product: product)] ?? 0
        let own = unlocked[Holder(account: holding.account, product: product)] ?? 0
        return max(own, unnamed)
    }
}

/// A row of ``Restores``.
public struct RestoreRow: ProjectionRow {
    /// The account; `nil` if unknown.
    public let account: String?
    /// The product; `nil` if unknown.
    public let product: String?
    /// The product's kind, if known.
    public let kind: ProductKind?
    /// The original that restored transactions name.
    public let original: String
    /// The party that restores the product: `system`, or `app` for a non-renewing subscription
    /// (G1.2).
    public let by: String
    /// The state of the restore.
    public let state: Restores.State

    init(_ holding: Holding, _ state: Restores.State, _ texts: RowTexts) {
        account = texts.text(of: holding.account)
        product = texts.text(of: holding.product)
        kind = holding.kind
        original = texts.text(of: holding.original)
        by = holding.kind == .nonRenewing ? "app" : "system"
        self.state = state
    }

    /// Writes the row's keys and values in the order of tool.md.
    public func write<Writer: RowWriter & ~Copyable>(to writer: inout Writer) {
        writer.write("account", account)
        writer.write("product", product)
        writer.write("kind", kind?.rawValue)
        writer.write("original", original)
        writer.write("by", by)
        writer.write("state", state.rawValue)
    }
}
