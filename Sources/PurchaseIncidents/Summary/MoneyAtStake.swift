import PurchaseEvents
import PurchaseProjections

/// Which rules are about money: a finding puts the price of its transaction at stake.
public enum MoneyAtStake: Hashable, Sendable, CaseIterable {
    /// The buyer paid and lost something, or paid twice.
    case lost
    /// Somebody got something for nothing.
    case givenAway
    /// Nothing is known to be lost.
    case none

    /// What the findings of a rule put at stake; `nil` for a rule that the catalogue doesn't have.
    public init?(rule id: String) {
        guard let found = MoneyAtStake.allCases.first(where: { $0.rules.contains(id) }) else {
            return nil
        }
        self = found
    }

    /// The ids of the rules; each rule of the catalogue is in one list.
    var rules: Set<String> {
        switch self {
        case .lost:
            [
                "finished-implies-delivered", "finished-implies-persisted",
                "finished-implies-downloaded", "delivered-quantity", "delivered-to-payer",
                "payment-comes-back", "one-request-one-charge", "removed-implies-finished",
                "owned-not-charged-again", "interrupted-not-lost", "restored-to-owner",
                "restore-grants-all", "periods-do-not-overlap", "withdrawal-has-a-reason",
                "price-consented", "one-plan-per-group",
            ]
        case .givenAway:
            [
                "delivered-implies-paid", "delivered-once", "consumed-within-delivered",
                "granted-implies-owed", "content-within-periods", "refund-grants-nothing",
                "withdrawn-when-over",
            ]
        case .none:
            [
                "nothing-after-finish", "finished-once", "finish-only-at-the-end",
                "everything-finished", "downloads-move-forward", "validated-before-server-content",
                "installed-after-download", "unlocked-again-at-launch", "lifecycle",
                "observed-from-launch", "presented-until-finished", "not-presented-after-finish",
                "payments-allowed", "product-listed", "requested-is-answered", "quantity-sane",
                "account-opaque", "one-payer-per-account", "restored-has-original", "restore-ends",
                "restore-asked-by-user", "refresh-changes-nothing", "receipt-keeps-its-own",
                "persisted-where-it-fits", "purchase-in-receipt", "validated-in-both",
                "period-well-formed", "retry-is-bounded", "renewal-before-lapse",
                "plan-change-in-time", "sandbox-renews-little", "environments-apart",
                "line-has-one-owner", "statements-in-order", "secret-right", "notification-once",
                "sequence-unbroken", "identifiers-unique", "clock-goes-forward",
            ]
        }
    }
}

extension Facts {
    /// The transaction that a finding is about; `nil` if its key is none.
    func transaction(of finding: Finding) -> TransactionID<Interned>? {
        guard let key = finding.key else { return nil }
        if let transaction = names.find(TransactionID<Written>(key)) { return transaction }
        return names.find(PaymentID<Written>(key)).flatMap { self[$0].purchase }
    }

    /// The money that a finding puts at stake: the price of its transaction, if the rule is about
    /// money and the log states the price.
    public func stake(of finding: Finding) -> Price? {
        guard finding.level != .note, let stake = MoneyAtStake(rule: finding.rule), stake != .none,
            let transaction = transaction(of: finding), let price = self[transaction].price,
            price.currency != nil
        else { return nil }
        return price
    }
}
