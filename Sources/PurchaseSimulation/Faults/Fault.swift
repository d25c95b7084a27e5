import PurchaseEvents

/// A bug of an app, a recorder or a store, with the rule that must detect it.
///
/// Each fault is taken from real failures: themes I1 to I11 of the rules.
public enum Fault: UInt8, CaseIterable, Hashable, Sendable {
    // MARK: Delivery
    /// Finishes a purchase that was not delivered.
    case finishesUndelivered
    /// Finishes a purchase that was saved nowhere.
    case finishesUnpersisted
    /// Finishes a purchase whose downloads still run.
    case finishesWhileDownloading
    /// Saves a purchase only after finishing it.
    case persistsAfterFinish
    /// Finishes a transaction twice.
    case finishesTwice
    /// Finishes a payment that still waits for approval.
    case finishesDeferred
    /// Delivers a payment that still waits for approval.
    case deliversDeferred
    /// Delivers a consumable twice.
    case deliversTwice
    /// Delivers more than was bought.
    case deliversTooMuch
    /// Delivers less than was bought, then finishes.
    case deliversTooLittle
    /// Delivers to another account than the one that paid.
    case deliversToStranger
    /// Restarts a download that has finished.
    case restartsDownload
    /// Delivers although the server said that the purchase is invalid.
    case deliversUnvalidated
    /// Uses up more than was delivered.
    case consumesTooMuch
    // MARK: Queue and payment
    /// Registers the observer after the queue has presented entries.
    case observesLate
    /// The queue shows a purchased payment as deferred.
    case deferredAfterPurchase
    /// Charges one request twice.
    case chargesTwice
    /// Requests a payment although the user may not pay.
    case requestsWhileRestricted
    /// Requests a payment for a product that the catalogue hasn't listed.
    case requestsUnlisted
    /// Requests more units than a payment may have.
    case requestsTooMany
    /// Uses an email address as the name of an account.
    case namesAccountPlainly
    /// A payment is never answered.
    case losesAnswer
    /// An entry leaves the queue unfinished.
    case losesEntry
    /// The queue presents a finished transaction again.
    case presentsFinished
    /// A request for a product's listing is never answered.
    case losesCatalogueAnswer
    // MARK: Restore and receipt
    /// Restores without a request from the user.
    case restoresAtLaunch
    /// Restores a consumable.
    case restoresConsumable
    /// Restores another account's purchase.
    case restoresForStranger
    /// A restore never ends.
    case leavesRestoreOpen
    /// Two snapshots of a receipt contradict each other.
    case receiptChanges
    /// Saves a purchase in a store that doesn't fit its kind.
    case persistsInWrongStore
    /// Doesn't validate a receipt in the other environment that a status names.
    case validatesInOneEnvironment
    // MARK: Subscriptions, refunds, environments
    /// A period ends before it starts.
    case endsBeforeStart
    /// Two periods of a subscription overlap.
    case overlapsPeriods
    /// Opens content that nobody paid for.
    case opensUnpaid
    /// Opens content that was published outside the paid periods.
    case opensUnpublished
    /// Delivers a purchase that was refunded.
    case deliversRefunded
    /// Leaves access in place after it has ended.
    case forgetsToWithdraw
    /// Withdraws access that is still owed.
    case withdrawsTooEarly
    /// The store retries a payment for longer than 60 days.
    case retriesTooLong
    /// Renews at a higher price without consent.
    case raisesPriceUnasked
    /// One account has two plans of a group at the same time.
    case sellsSecondPlan
    /// Delivers a test purchase in production.
    case deliversTestPurchase
    /// A renewal names another account.
    case renewsForStranger
    /// Believes a notification with a wrong secret.
    case believesWrongSecret
    // MARK: The log itself
    /// A line is missing from the log: its number is skipped.
    case skipsNumber
    /// Two events have one `id`.
    case reusesIdentifier

    /// The name on the command line: the case in kebab case.
    public var name: String { Fault.names[Int(rawValue)] }

    private static let names = allCases.map { fault in
        "\(fault)".map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
    }

    /// The fault with a name, or `nil` if there is none.
    public init?(name: String) {
        guard let fault = Fault.allCases.first(where: { $0.name == name }) else { return nil }
        self = fault
    }
}

/// A fault that took effect, and the event that shouldn't exist.
public struct PlantedFault: Hashable, Sendable {
    /// The fault.
    public let fault: Fault
    /// The `seq` of the event.
    public let seq: Int64
    /// The account that the rule's finding names.
    public let account: String?
    /// The transaction, payment, original or product that the rule's finding names.
    public let key: String?
    /// The `seq` of the later event that reveals the fault; 0 if the event itself does.
    ///
    /// A log that ends earlier doesn't show the fault.
    public let shownBy: Int64
}

extension Fault {
    /// The id of the rule that must detect the fault.
    public var rule: String {
        switch self {
        case .finishesUndelivered: "finished-implies-delivered"
        case .finishesUnpersisted: "finished-implies-persisted"
        case .finishesWhileDownloading: "finished-implies-downloaded"
        case .persistsAfterFinish: "nothing-after-finish"
        case .finishesTwice: "finished-once"
        case .finishesDeferred: "finish-only-at-the-end"
        case .deliversDeferred: "delivered-implies-paid"
        case .deliversTwice: "delivered-once"
        case .deliversTooMuch, .deliversTooLittle: "delivered-quantity"
        case .deliversToStranger: "delivered-to-payer"
        case .restartsDownload: "downloads-move-forward"
        case .deliversUnvalidated: "validated-before-server-content"
        case .consumesTooMuch: "consumed-within-delivered"
        case .observesLate: "observed-from-launch"
        case .deferredAfterPurchase: "lifecycle"
        case .chargesTwice: "one-request-one-charge"
        case .requestsWhileRestricted: "payments-allowed"
        case .requestsUnlisted: "product-listed"
        case .requestsTooMany: "quantity-sane"
        case .namesAccountPlainly: "account-opaque"
        case .losesAnswer: "payment-comes-back"
        case .losesEntry: "removed-implies-finished"
        case .presentsFinished: "not-presented-after-finish"
        case .losesCatalogueAnswer: "requested-is-answered"
        case .restoresAtLaunch: "restore-asked-by-user"
        case .restoresConsumable: "restored-has-original"
        case .restoresForStranger: "restored-to-owner"
        case .leavesRestoreOpen: "restore-ends"
        case .receiptChanges: "refresh-changes-nothing"
        case .persistsInWrongStore: "persisted-where-it-fits"
        case .validatesInOneEnvironment: "validated-in-both"
        case .endsBeforeStart: "period-well-formed"
        case .overlapsPeriods: "periods-do-not-overlap"
        case .opensUnpaid: "granted-implies-owed"
        case .opensUnpublished: "content-within-periods"
        case .deliversRefunded: "refund-grants-nothing"
        case .forgetsToWithdraw: "withdrawn-when-over"
        case .withdrawsTooEarly: "withdrawal-has-a-reason"
        case .retriesTooLong: "retry-is-bounded"
        case .raisesPriceUnasked: "price-consented"
        case .sellsSecondPlan: "one-plan-per-group"
        case .deliversTestPurchase: "environments-apart"
        case .renewsForStranger: "line-has-one-owner"
        case .believesWrongSecret: "secret-right"
        case .skipsNumber: "sequence-unbroken"
        case .reusesIdentifier: "identifiers-unique"
        }
    }
}
