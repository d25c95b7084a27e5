import PurchaseEvents

/// The purchases, spending and refunds of each account, and the App Store accounts that paid (G3.4,
/// G3.5).
///
/// Counts purchases; skips transactions that are only restored, and other environments. Sums are
/// kept by currency and never converted; what the family shares, or a seat, cost another. They are
/// exact, and clamped to `Int64` in the rows. A partial refund is rounded to the nearest thousandth
/// of a unit.
public struct Accounts: Projection, CatalogueProjection {
    /// The argument of `show`.
    public static let name = "accounts"
    /// The question that the projection answers.
    public static let summary = "what each account bought, spent and got back, and who paid"
    /// The event types that the projection folds besides the facts.
    public static let reads = EventTypes(.paymentRequested)
    package static let identity = ["account"]
    package static let dependencies = RowDependencies(.account, ownType: .paymentRequested)

    private var payments: [AccountHandle?: Payments] = [:]

    package mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&payments) }

    /// Creates the projection at the beginning of a log.
    public init() {}

    /// Reads an event that the facts already include.
    public mutating func observe(_ event: LogEvent, on line: Line, _ facts: Facts) {
        guard case .paymentRequested(let request) = event.fact,
            facts.environment(of: event) == facts.logEnvironment
        else { return }
        let account = event.account ?? facts[request.payment].account
        // A request without a payer gives the account a row too.
        payments[account, default: Payments()].add(
            request.payer.map { RecentPayers.Payer(payer: $0, at: event.at, line: line.number) })
    }

    /// Calls `body` with each row, as known now and true at an instant.
    public func forEachRow(_ facts: Facts, asOf instant: Timestamp, _ body: (AccountRow) -> Void) {
        // Index 0 holds the sums without an account.
        var sums = DenseTable<Sums?>(nil)
        for account in payments.keys { sums[Facts.index(of: account)] = Sums() }
        for transaction in facts.knownTransactions {
            let purchase = facts[transaction]
            guard purchase.attestsPeriod, facts.isInLogEnvironment(transaction),
                facts.isHeld(transaction, by: instant)
            else { continue }
            let place = Facts.index(of: facts.owner(of: transaction))
            if sums[place] == nil { sums[place] = Sums() }
            sums[place]?.add(purchase, facts.refund(of: transaction, asOf: instant))
        }
        let (names, texts) = (facts.names, RowTexts(facts.names))
        let accounts = sums.indices.filter { sums[$0] != nil }
            .map { place -> AccountHandle? in Facts.name(at: place) }
        let sorted = accounts.inOrder(names, account: { $0 }) { left, right in
            RowOrder(names).by(left, right).precedes
        }
        for account in sorted {
            guard let sums = sums[Facts.index(of: account)] else { continue }
            body(AccountRow(account, sums, payments[account] ?? Payments(), names, texts))
        }
    }
}

private struct Payments: Sendable, SnapshottedElement {

    var payers: Set<PayerHandle> = []
    /// Whether more than two payers paid within 30 days (G3.5).
    private(set) var isIrregular = false
    private var recent = RecentPayers()

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&payers).visit(&isIrregular).visit(&recent)
    }

    mutating func add(_ payer: RecentPayers.Payer?) {
        guard let payer else { return }
        payers.insert(payer.payer)
        if !recent.add(payer).isEmpty { isIrregular = true }
    }
}

/// Exact sums of what was bought, spent and refunded.
private struct Sums {
    var transactions: Int64 = 0
    var spent = CurrencySums(), refunded = CurrencySums()

    mutating func add(_ purchase: TransactionFacts, _ refund: Refund?) {
        transactions += 1
        guard let price = purchase.price, let currency = price.currency,
            purchase.ownership ?? .purchased == .purchased
        else { return }
        // Fewer than 2^32 lines with amounts below 2^53 cannot overflow 128 bits.
        let amount = Int128(price.thousandths)
        spent.add(amount, of: currency)
        guard let refund, refund.kind == .refunded else { return }
        let share = amount * Int128(refund.percent ?? Refund.whole)
        let half = Int128(Refund.whole / 2) * share.signum()
        refunded.add((share + half) / Int128(Refund.whole), of: currency)
    }
}

/// Sums by currency; the first currency is stored inline, because most accounts use one.
private struct CurrencySums {
    private var first: (currency: Currency, amount: Int128)?
    private var others: [Currency: Int128] = [:]

    mutating func add(_ amount: Int128, of currency: Currency) {
        if first == nil {
            first = (currency, amount)
        } else if first?.currency == currency {
            first?.amount += amount
        } else {
            others[currency, default: 0] += amount
        }
    }

    var amounts: [AccountRow.Amount] {
        guard let first else { return [] }
        let all = [(first.currency, first.amount)] + others.map { ($0.key, $0.value) }
        return all.sorted { $0.0.rawValue < $1.0.rawValue }
            .map { AccountRow.Amount(currency: $0.0.code, thousandths: Int64(clamping: $0.1)) }
    }
}

/// A row of ``Accounts``.
public struct AccountRow: ProjectionRow {
    /// The account; `nil` if unknown.
    public let account: String?
    /// The App Store accounts that paid, sorted by bytes.
    public let payers: [String]
    /// The number of purchases.
    public let transactions: Int64
    /// The amounts spent and refunded, sorted by currency code.
    public let spent: [Amount], refunded: [Amount]
    /// Whether more than two App Store accounts paid for the account within 30 days (G3.5).
    public let isIrregular: Bool

    /// An amount in one currency.
    public struct Amount: Hashable, Sendable {
        /// The currency code.
        public let currency: String
        /// Thousandths of the currency unit.
        public let thousandths: Int64
    }

    fileprivate init(
        _ account: AccountHandle?, _ sums: Sums, _ payments: Payments, _ names: NameTable,
        _ texts: RowTexts
    ) {
        self.account = texts.text(of: account)
        payers = payments.payers.sorted { names.precedes($0, $1) }.map(names.text)
        transactions = sums.transactions
        spent = sums.spent.amounts
        refunded = sums.refunded.amounts
        // An unnamed account is no one account.
        isIrregular = account != nil && payments.isIrregular
    }

    /// Writes the row's keys and values in the order of tool.md.
    public func write<Writer: RowWriter & ~Copyable>(to writer: inout Writer) {
        writer.write("account", account)
        if !payers.isEmpty { writer.write("payers", payers) }
        writer.write("transactions", transactions)
        if !spent.isEmpty { writer.write("spent", spent) }
        if !refunded.isEmpty { writer.write("refunded", refunded) }
        writer.write("irregular", isIrregular)
    }
}
