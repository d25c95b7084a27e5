import PurchaseEvents

/// A bug of an app, a recorder or a store, with the rule that must detect it.
///
/// Each is taken from real failures: themes I1 to I11 of the rules.
public enum Fault: UInt8, CaseIterable, Hashable, Sendable {
    // Delivery.
    case finishesUndelivered, finishesUnpersisted, finishesWhileDownloading, persistsAfterFinish
    case finishesTwice, finishesDeferred, deliversDeferred, deliversTwice, deliversTooMuch
    case deliversTooLittle, deliversToStranger, restartsDownload, deliversUnvalidated
    case consumesTooMuch
    // Queue and payment.
    case observesLate, deferredAfterPurchase, chargesTwice, requestsWhileRestricted
    case requestsUnlisted, requestsTooMany, namesAccountPlainly, losesAnswer, losesEntry
    case presentsFinished, losesCatalogueAnswer
    // Restore and receipt.
    case restoresAtLaunch, restoresConsumable, restoresForStranger, leavesRestoreOpen
    case receiptChanges, persistsInWrongStore, validatesInOneEnvironment
    // Subscriptions, refunds, environments.
    case endsBeforeStart, overlapsPeriods, opensUnpaid, opensUnpublished, deliversRefunded
    case forgetsToWithdraw, withdrawsTooEarly, retriesTooLong, raisesPriceUnasked
    case sellsSecondPlan, deliversTestPurchase, renewsForStranger, believesWrongSecret
    // The log itself.
    case skipsNumber, reusesIdentifier

    /// The name for the tool: the case in kebab case.
    public var name: String { Fault.names[Int(rawValue)] }

    private static let names: [String] = allCases.map { fault in
        String(describing: fault).reduce(into: "") { name, letter in
            name += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
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
    /// The `seq` of the event that reveals the fault; a log that ends earlier doesn't show it.
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
