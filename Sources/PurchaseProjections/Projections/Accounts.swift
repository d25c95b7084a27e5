import PurchaseEvents

/// What each account bought, spent and got back, and who paid for it (G3.4, G3.5).
///
/// Purchases count, restored transactions and those of other environments don't. Money is summed
/// by currency, never converted; sums are exact and end at the range of `Int64`. A share refunded
/// is rounded to the nearest thousandth of the unit.
public struct Accounts: Projection {
    /// The word that `show` takes.
    public static let name = "accounts"
    /// The question that it answers.
    public static let summary = "what each account bought, spent and got back, and who paid"
    /// The types of event that it folds beside the facts.
    public static let reads = EventTypes(.paymentRequested)

    private var payments: [AccountID<Interned>?: Payments] = [:]

    /// The projection at the beginning of a log.
    public init() {}

    /// Reads an event that the facts have taken in already.
    public mutating func observe(_ event: Event<Interned>, on line: Line, _ facts: Facts) {
        guard case .paymentRequested(let request) = event.fact,
            facts.environment(of: event) == facts.home
        else { return }
        let account = event.account ?? facts[request.payment].account
        var known = payments[account] ?? Payments()
        if let payer = request.payer { known.add(payer, at: event.at) }
        payments.updateValue(known, forKey: account)
    }

    /// The rows by what is known now, as true at an instant.
    public func rows(_ facts: Facts, asOf instant: Timestamp) -> [AccountRow] {
        var sums: [AccountID<Interned>?: Sums] = [:]
        for account in payments.keys { sums.updateValue(Sums(), forKey: account) }
        for transaction in facts.knownTransactions {
            let purchase = facts[transaction]
            guard purchase.attestsPeriod, facts.isAtHome(transaction),
                facts.isHeld(transaction, by: instant)
            else { continue }
            let account = facts.owner(of: transaction)
            sums[account, default: Sums()].add(
                purchase, facts.refund(of: transaction, asOf: instant))
        }
        return sums.map { account, sums in
            AccountRow(account, sums, payments[account] ?? Payments(), facts.names)
        }.inOrder { $0.precedes($1) }
    }
}

/// Who paid for an account.
private struct Payments: Sendable {
    /// When each payer paid last.
    var payers: [PayerID<Interned>: Timestamp] = [:]
    /// Whether more than two payers ever paid within 30 days (G3.5).
    var isIrregular = false

    mutating func add(_ payer: PayerID<Interned>, at time: Timestamp) {
        payers[payer] = time
        let recent = payers.values.filter {
            $0.distance(to: time).magnitude <= 30 * Timestamp.day.magnitude
        }
        if recent.count > 2 { isIrregular = true }
    }
}

/// What was bought, spent and got back, exactly.
private struct Sums {
    var transactions: Int64 = 0
    var spent: [Currency: Int128] = [:]
    var refunded: [Currency: Int128] = [:]

    mutating func add(_ purchase: TransactionFacts, _ refund: Refund?) {
        transactions += 1
        guard let price = purchase.price, let currency = price.currency else { return }
        // Lines are fewer than 2^32 and amounts less than 2^53: no sum overflows 128 bits.
        let amount = Int128(price.thousandths)
        spent[currency, default: 0] += amount
        guard let refund, refund.kind == .refunded else { return }
        let share = amount * Int128(refund.percent ?? Refund.whole)
        let half = Int128(Refund.whole / 2) * share.signum()
        refunded[currency, default: 0] += (share + half) / Int128(Refund.whole)
    }
}

/// A row of ``Accounts``.
public struct AccountRow: ProjectionRow {
    /// The account; `nil` for what no fact gives an account.
    public let account: String?
    /// The App Store accounts that paid, by their bytes.
    public let payers: [String]
    /// How many purchases it made.
    public let transactions: Int64
    /// What was spent and refunded, in thousandths, by currency in the order of its letters.
    public let spent: [Amount], refunded: [Amount]
    /// Whether more than two App Store accounts paid for it within 30 days (G3.5).
    public let isIrregular: Bool

    /// An amount of one currency.
    public struct Amount: Hashable, Sendable {
        /// The currency's code.
        public let currency: String
        /// Thousandths of its unit.
        public let thousandths: Int64
    }

    fileprivate init(
        _ account: AccountID<Interned>?, _ sums: Sums, _ payments: Payments, _ names: NameTable
    ) {
        func amounts(_ sums: [Currency: Int128]) -> [Amount] {
            sums.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { Amount(currency: $0.key.code, thousandths: Int64(clamping: $0.value)) }
        }
        self.account = account.map(names.text)
        payers = payments.payers.keys.sorted { names.precedes($0, $1) }.map(names.text)
        transactions = sums.transactions
        spent = amounts(sums.spent)
        refunded = amounts(sums.refunded)
        isIrregular = payments.isIrregular
    }

    /// The row's keys and values in the order of tool.md.
    public var fields: [RowField] {
        func money(_ amounts: [Amount]) -> RowValue? {
            guard !amounts.isEmpty else { return nil }
            return .object(amounts.map { RowField($0.currency, .integer($0.thousandths)) })
        }
        return [
            RowField("account", .text(account)),
            payers.isEmpty ? nil : RowField("payers", .list(payers.map { .text($0) })),
            RowField("transactions", .integer(transactions)),
            RowField("spent", money(spent)), RowField("refunded", money(refunded)),
            RowField("irregular", .flag(isIrregular)),
        ].compactMap { $0 }
    }

    fileprivate func precedes(_ other: AccountRow) -> Bool {
        RowOrder().by(account, other.account).precedes
    }
}
