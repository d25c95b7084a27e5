import PurchaseEvents
import PurchaseProjections

/// A question about a log that `replay why` answers with reasons.
public enum Question: Hashable, Sendable {
    /// Whether an account may use a product; a `nil` account means one that the log doesn't name.
    case entitlement(account: String?, product: String)
    /// The app's next step for a transaction or a payment.
    case pending(key: String)
    /// Whether an account's product was restored; a `nil` account means one that the log doesn't
    /// name.
    case restore(account: String?, product: String)
    /// The state of a subscription, identified by its original transaction.
    case subscription(original: String)
    /// How much an account has left of a consumable; a `nil` account means one that the log doesn't
    /// name.
    case balance(account: String?, product: String)
    /// Why a rule reports a finding at a line, counted from 1.
    case finding(line: Int, rule: String)
    /// Why a projection has a row.
    case row(ShownRow)

    /// The word on the command line for each kind of question.
    public enum Word: String, CaseIterable, Sendable {
        /// Why an account may, or may not, use a product.
        case entitlement
        /// Why an entry of the queue is, or is not, pending.
        case pending
        /// Why a restore gave, or did not give, a product.
        case restore
        /// Why a subscription is in its state.
        case subscription
        /// Why an account has, or does not have, something left of a consumable.
        case balance
        /// Why a rule reports, or does not report, a finding.
        case finding

        /// The operands that follow the word.
        public var operands: [String] {
            switch self {
            case .entitlement, .restore, .balance: ["ACCOUNT", "PRODUCT"]
            case .pending: ["KEY"]
            case .subscription: ["ORIGINAL"]
            case .finding: ["LINE", "RULE"]
            }
        }
    }

    /// The projection that answers; `nil` for a finding.
    public var projection: (any Projection.Type)? {
        switch self {
        case .entitlement: Entitlements.self
        case .pending: Pending.self
        case .restore: Restores.self
        case .subscription: Subscriptions.self
        case .balance: Balances.self
        case .finding: nil
        case .row(let row): ProjectionCatalogue.find(row.projection)
        }
    }

    /// The rows that answer the question, in the order of the projection.
    func rows(_ show: Show, asOf instant: Timestamp) -> [ShownRow] {
        switch self {
        case .entitlement(let account, let product):
            ShownRow.all(show, of: Entitlements.self, asOf: instant, account: account) {
                ($0.account == nil || account != nil) && $0.product?.isSame(as: product) ?? false
            }
        case .pending(let key):
            ShownRow.all(show, of: Pending.self, asOf: instant) {
                ($0.transaction ?? $0.payment)?.isSame(as: key) ?? false
            }
        case .restore(let account, let product):
            ShownRow.all(show, of: Restores.self, asOf: instant, account: account) {
                ($0.account == nil || account != nil) && $0.product?.isSame(as: product) ?? false
            }
        case .subscription(let original):
            ShownRow.all(show, of: Subscriptions.self, asOf: instant) {
                $0.original.isSame(as: original)
            }
        case .balance(let account, let product):
            ShownRow.all(show, of: Balances.self, asOf: instant, account: account) {
                ($0.account == nil || account != nil) && $0.product.isSame(as: product)
            }
        case .finding: []
        case .row(let row):
            ShownRow.all(show, of: row.projection, asOf: instant, account: row.text("account"))
                .filter { RowIdentity($0) == RowIdentity(row) }
        }
    }
}

extension ShownRow {
    /// The rows of a projection, or only those of one account.
    ///
    /// - Parameters:
    ///   - show: The fold.
    ///   - projection: The name of the projection.
    ///   - instant: The instant at which rows are true; `nil` means the fold's instant.
    ///   - account: The account of the rows; `nil` means all.
    public static func all(
        _ show: Show, of projection: String, asOf instant: Timestamp? = nil, account: String? = nil
    ) -> [ShownRow] {
        guard let type = ProjectionCatalogue.find(projection) else { return [] }
        return all(show, of: type, asOf: instant, account: account)
    }

    fileprivate static func all<Shown: Projection>(
        _ show: Show, of projection: Shown.Type, asOf instant: Timestamp?, account: String? = nil,
        where isMeant: (Shown.Row) -> Bool = { _ in true }
    ) -> [ShownRow] {
        show.rows(of: projection, asOf: instant, account: account).filter(isMeant)
            .map { ShownRow($0, of: projection.name) }
    }
}
