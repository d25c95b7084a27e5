/// The side that loses money when a rule is violated.
public enum MoneySide: Hashable, Sendable {
    /// The buyer paid and got nothing, too little, or the same thing twice.
    case buyer
    /// Somebody got something without paying for it.
    case seller
    /// The violation alone costs nobody money.
    case nobody

    /// The side that loses money when this rule is violated at error or warning level; `nil` for an
    /// id without an entry.
    ///
    /// A test checks that every rule of the catalogue has an entry.
    public static func of(rule id: String) -> MoneySide? { table[id] }

    /// The ids with an entry.
    package static var decidedRules: Set<String> { Set(table.keys) }

    private static let table: [String: MoneySide] = {
        var table: [String: MoneySide] = [:]
        for id in buyerRules { table[id] = .buyer }
        for id in sellerRules { table[id] = .seller }
        for id in otherRules { table[id] = .nobody }
        return table
    }()

    /// Rules about purchases that were paid for and lost, withdrawn, given to somebody else, or
    /// paid for twice.
    private static let buyerRules = [
        "finished-implies-delivered", "finished-implies-persisted", "finished-implies-downloaded",
        "delivered-quantity", "delivered-to-payer", "removed-implies-finished",
        "one-request-one-charge", "owned-not-charged-again", "restore-grants-all",
        "withdrawal-has-a-reason", "price-consented", "periods-do-not-overlap",
        "one-plan-per-group",
    ]

    /// Rules about products given without payment, given twice, or kept after a refund or an end.
    private static let sellerRules = [
        "delivered-implies-paid", "delivered-once", "restored-to-owner", "granted-implies-owed",
        "content-within-periods", "refund-grants-nothing", "withdrawn-when-over",
        "retry-is-bounded", "consumed-within-delivered", "environments-apart",
    ]

    private static let otherRules = [
        "nothing-after-finish", "finished-once", "finish-only-at-the-end", "everything-finished",
        "downloads-move-forward", "validated-before-server-content", "installed-after-download",
        "unlocked-again-at-launch", "lifecycle", "observed-from-launch", "payment-comes-back",
        "presented-until-finished", "not-presented-after-finish", "payments-allowed",
        "product-listed", "requested-is-answered", "quantity-sane", "account-opaque",
        "one-payer-per-account", "interrupted-not-lost", "restored-has-original", "restore-ends",
        "restore-asked-by-user", "refresh-changes-nothing", "receipt-keeps-its-own",
        "persisted-where-it-fits", "purchase-in-receipt", "validated-in-both", "period-well-formed",
        "renewal-before-lapse", "plan-change-in-time", "sandbox-renews-little",
        "line-has-one-owner", "statements-in-order", "statements-agree", "secret-right",
        "notification-once", "sequence-unbroken", "identifiers-unique", "clock-goes-forward",
    ]
}
