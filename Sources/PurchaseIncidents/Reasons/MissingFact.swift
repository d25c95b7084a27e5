import PurchaseEvents
import PurchaseProjections

/// The fact that a yes would need, if no single line prevents the yes.
public enum MissingFact: Hashable, Sendable {
    /// No line states a purchase of the product for the account.
    case neverBought
    /// The purchase or period begins only later.
    case notYet(Timestamp)
    /// The period or purchase has ended, and nothing has renewed it since.
    case expired(Timestamp?)
    /// The purchase was refunded; the reason's part gives the line.
    case refunded
    /// Family sharing of the purchase ended; the reason's part gives the line.
    case revoked
    /// The app's server found the purchase invalid.
    case invalid
    /// The account has used up everything it bought.
    case usedUp
    /// The app has delivered nothing of it to the account.
    case notDelivered
    /// The app withdrew everything that it delivered.
    case withdrawn
    /// A later product of the same subscription replaced the product.
    case upgradedAway
    /// The purchase belongs to another account; `nil` if the log doesn't name it.
    case ofAnotherAccount(String?)
    /// The purchase was made in another environment.
    case otherEnvironment(PurchaseEvents.Environment)
    /// A consumable is never restored.
    case neverRestored
    /// The app has granted nothing since the restore was requested.
    case notGranted
    /// No open queue entry and no other change concerns the key.
    case nothingOpen
    /// No statement says when a period of the subscription starts and ends.
    case noPeriod

    /// The fact in plain words, lower case, no full stop.
    public var words: String {
        switch self {
        case .neverBought: "never bought: no line states a purchase"
        case .notYet(let time): "not yet: the first purchase is dated \(time.text)"
        case .expired(let time?): "expired at \(time.text), and nothing since"
        case .expired(nil): "ended, and nothing since"
        case .refunded: "refunded, and the refund was never reversed"
        case .revoked: "family sharing ended"
        case .invalid: "the purchase was found invalid"
        case .usedUp: "used up: everything bought was consumed"
        case .notDelivered: "not delivered: the app has delivered nothing of it"
        case .withdrawn: "withdrawn: the app took back everything that it delivered"
        case .upgradedAway: "upgraded away: another product of the subscription replaced it"
        case .ofAnotherAccount(let account?): "belongs to another account: \(account)"
        case .ofAnotherAccount(nil): "belongs to an account that no line names"
        case .otherEnvironment(let environment):
            "bought in another environment: \(environment.rawValue)"
        case .neverRestored: "a consumable is never restored"
        case .notGranted: "not granted by the app since the restore was requested"
        case .nothingOpen: "nothing is open: the key has no unfinished queue entry"
        case .noPeriod: "no line states a period of the subscription"
        }
    }

    static func find(
        _ question: Question, _ answer: Answer, _ search: ReasonSearch, _ instant: Timestamp
    ) throws -> Reason.Part {
        if let row = answer.row { return try ofRow(row, search, search.show().facts) }
        let missing = try ofNoRow(question, search, instant)
        return Reason.Part(line: nil, .missing, missing: missing)
    }

    private static func ofNoRow(
        _ question: Question, _ search: ReasonSearch, _ instant: Timestamp
    ) throws -> MissingFact {
        switch question {
        case .entitlement(let account, let product), .balance(let account, let product):
            return try ofPurchase(account, product, search, instant)
        case .restore(let account, let product):
            let facts = try search.show().facts
            let id = facts.names.find(ProductID<Written>(product))
            let isConsumable = id.flatMap { facts[$0].kind } == .consumable
            return try isConsumable ? .neverRestored : owed(account, product, search, instant)
        case .subscription(let original): return try ofSubscription(original, search, instant)
        case .pending: return .nothingOpen
        case .finding, .row: return .neverBought
        }
    }

    /// The reason why there is nothing to restore: the reason why the account isn't entitled.
    private static func owed(
        _ account: String?, _ product: String, _ search: ReasonSearch, _ instant: Timestamp
    ) throws -> MissingFact {
        let question = Question.entitlement(account: account, product: product)
        let show = try search.slice.show([Entitlements.self], asOf: search.requestedInstant)
        let answer = Answer(rows: question.rows(show, asOf: instant))
        return try answer.row.map(ofRow) ?? ofPurchase(account, product, search, instant)
    }

    /// The reason why a row says no, with the line of the refund or validation, if any.
    private static func ofRow(
        _ row: ShownRow, _ search: ReasonSearch, _ facts: Facts
    ) throws -> Reason.Part {
        let missing = ofRow(row)
        var line: Int?
        let key = row.text("transaction") ?? row.text("original")
        if let key, let id = facts.names.find(TransactionID<Written>(key)) {
            switch missing {
            case .refunded, .revoked: line = Int(facts[id].refundedLine)
            case .invalid: line = Int(facts[id].validatedLine)
            case _: break
            }
        }
        let place = line.flatMap { search.numbers.indices.contains($0 - 1) ? $0 - 1 : nil }
        return Reason.Part(line: place.map { search.line($0) }, .missing, missing: missing)
    }

    private static func ofRow(_ row: ShownRow) -> MissingFact {
        switch row.projection {
        case Restores.name: return .notGranted
        case Balances.name: return ofBalance(row)
        case Subscriptions.name:
            let status = row.text("status")
            if status == Subscriptions.Status.refunded.rawValue { return .refunded }
            if status == Subscriptions.Status.revoked.rawValue { return .revoked }
            guard case .list(let periods) = row["periods"], case .object(let last) = periods.last,
                case .time(let end) = last.first(where: { $0.key == "until" })?.value
            else { return .expired(nil) }
            return .expired(end)
        case _: break
        }
        switch row.text("ended") {
        case "expired": return .expired(row.time("until"))
        case "refunded": return .refunded
        case "revoked": return .revoked
        case "upgraded": return .upgradedAway
        case _: return row["quantity"] != nil ? .usedUp : .invalid
        }
    }

    private static func ofBalance(_ row: ShownRow) -> MissingFact {
        func isNone(_ key: String) -> Bool { row[key] == .integer(0) }
        if isNone("delivered") { return isNone("bought") ? .neverBought : .notDelivered }
        return isNone("consumed") ? .withdrawn : .usedUp
    }

    private static func ofSubscription(
        _ original: String, _ search: ReasonSearch, _ instant: Timestamp
    ) throws -> MissingFact {
        let facts = try search.wholeFacts()
        guard let id = facts.names.find(TransactionID<Written>(original)) else { return .noPeriod }
        let starts = facts.knownTransactions.lazy.filter { facts.original(of: $0) == id }
            .compactMap { facts[$0].purchasedAt }
        return starts.min().flatMap { $0 > instant ? .notYet($0) : nil } ?? .noPeriod
    }

    /// The reason why an account has no row for a product. Facts as of an instant lack what was
    /// bought later, so all facts are asked too.
    private static func ofPurchase(
        _ account: String?, _ product: String, _ search: ReasonSearch, _ instant: Timestamp
    ) throws -> MissingFact {
        let named = try account.map { try search.transactions(naming: $0) } ?? []
        let missing = ofPurchase(account, product, try search.show().facts, named, instant)
        guard missing == .neverBought, search.requestedInstant != nil else { return missing }
        return ofPurchase(account, product, try search.wholeFacts(), named, instant)
    }

    /// - Parameter named: The transactions of lines that name the account.
    private static func ofPurchase(
        _ account: String?, _ product: String, _ facts: Facts, _ named: Set<String>,
        _ instant: Timestamp
    ) -> MissingFact {
        guard let product = facts.names.find(ProductID<Written>(product)) else {
            return .neverBought
        }
        let account = account.flatMap { facts.names.find(AccountID<Written>($0)) }
        var (first, other): (Timestamp?, MissingFact?)
        for transaction in facts.knownTransactions where facts[transaction].product == product {
            let owner = facts.owner(of: transaction)
            if owner == account {
                if let environment = facts[transaction].environment,
                    environment != facts.logEnvironment
                {
                    return .otherEnvironment(environment)
                }
                if let start = facts[transaction].purchasedAt, start > instant {
                    first = min(first ?? start, start)
                }
            } else if other == nil,
                facts[transaction].account == account || named.contains(facts.text(transaction))
            {
                other = .ofAnotherAccount(owner.map { facts.names.text(of: $0) })
            }
        }
        return first.map { .notYet($0) } ?? other ?? .neverBought
    }
}
