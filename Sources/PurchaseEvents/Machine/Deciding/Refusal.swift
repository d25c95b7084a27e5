/// The reason why the app may not perform a command or record an event, in order of precedence.
///
/// If several reasons apply, the first in this order is thrown. Most reasons stand for the ``rule``
/// that would be broken.
public enum Refusal: String, Error, CaseIterable, Hashable, Sendable {
    /// The event to record is an app's own act: it must be performed as a ``Command``.
    case isACommand
    /// The notification that the event came from isn't the App Store's (G7.2).
    case untrustedSource
    /// The observer isn't registered, so the app can neither receive nor finish entries (G4.1).
    case notObserved
    /// The user may not make payments (G2.3).
    case restricted
    /// The quantity isn't 1 to 10 for a consumable, or 1 for another kind (G3.1).
    case quantityNotSane
    /// No statement says that the transaction was bought: it is unknown, in progress, deferred or
    /// failed (G4.2).
    case unpaid
    /// The entry can't be finished yet: it neither failed nor was purchased or restored (G4.2).
    case notAtItsEnd
    /// The entry is finished and hasn't been presented again since (G4.8).
    case finishedAlready
    /// The transaction is finished, so nothing more may be done with it (G4.9).
    case afterFinish
    /// The transaction was bought in a test environment and doesn't count in production (G9.3).
    case otherEnvironment
    /// The server's validation found that the transaction isn't the App Store's (G4.19).
    case invalid
    /// The transaction was refunded or revoked, so it counts as never bought (G6.9).
    case refunded
    /// Another account paid for the transaction (G3.4).
    case otherAccount
    /// The restored purchase belongs to another account (G8.6).
    case otherOwner
    /// The whole quantity is already delivered (G3.2).
    case deliveredAlready
    /// The quantity exceeds the undelivered units (G3.1).
    case tooMany
    /// The end that the app sets isn't after the purchase (G1.4).
    case endsTooSoon
    /// The download can't go from its state to the new one (G4.16).
    case downloadEnded
    /// A known purchase or period still grants access (G6.9).
    case stillOwed
    /// A download of the transaction has neither finished nor been cancelled (G4.7).
    case downloading
    /// The purchase is owed to the user and isn't delivered (G4.7).
    case undelivered
    /// Only part of the quantity is delivered (G3.1).
    case deliveredInPart
    /// The purchase isn't persisted (G4.7).
    case unpersisted
    /// No purchase or period covers the content now (G6.1).
    case notEntitled
    /// The content was published outside the periods and wasn't the newest at the start of one
    /// (G6.3).
    case publishedOutsidePeriods
    /// The quantity exceeds the delivered units that aren't consumed yet (G4.11).
    case nothingLeft

    /// The rule that the act would break (rules.md), or `nil` for a requirement of the ledger
    /// itself.
    public var rule: String? {
        switch self {
        case .isACommand: nil
        case .untrustedSource: "secret-right"
        case .notObserved: "observed-from-launch"
        case .restricted: "payments-allowed"
        case .quantityNotSane: "quantity-sane"
        case .unpaid: "delivered-implies-paid"
        case .notAtItsEnd: "finish-only-at-the-end"
        case .finishedAlready: "finished-once"
        case .afterFinish: "nothing-after-finish"
        case .otherEnvironment: "environments-apart"
        case .invalid: "validated-before-server-content"
        case .refunded: "refund-grants-nothing"
        case .otherAccount: "delivered-to-payer"
        case .otherOwner: "restored-to-owner"
        case .deliveredAlready: "delivered-once"
        case .tooMany, .deliveredInPart: "delivered-quantity"
        case .endsTooSoon: "period-well-formed"
        case .downloadEnded: "downloads-move-forward"
        case .stillOwed: "withdrawal-has-a-reason"
        case .downloading: "finished-implies-downloaded"
        case .undelivered: "finished-implies-delivered"
        case .unpersisted: "finished-implies-persisted"
        case .notEntitled: "granted-implies-owed"
        case .publishedOutsidePeriods: "content-within-periods"
        case .nothingLeft: "consumed-within-delivered"
        }
    }
}

extension Refusal: CustomStringConvertible {
    /// What is wrong and what was expected, in one line.
    public var description: String {
        switch self {
        case .isACommand: "the app must perform this act as a command, not record it"
        case .untrustedSource: "the notification's secret is wrong or its signature is invalid"
        case .notObserved: "the observer isn't registered; the app must register it at launch"
        case .restricted: "payments have been restricted since the launch"
        case .quantityNotSane:
            "the quantity isn't 1 to 10 for a consumable, or 1 for any other kind"
        case .unpaid: "no statement says that the transaction was purchased or restored"
        case .notAtItsEnd: "the entry has neither failed nor been purchased or restored"
        case .finishedAlready: "the entry is finished and hasn't been presented again since"
        case .afterFinish:
            "the transaction is finished; only a withdrawn purchase may be delivered again"
        case .otherEnvironment:
            "the purchase was made in a test environment, and this is production"
        case .invalid: "validation found the transaction invalid"
        case .refunded: "the purchase is refunded or revoked"
        case .otherAccount:
            "another account paid for the purchase, and its line isn't linked to this account"
        case .otherOwner:
            "the purchase belongs to another account, and its line isn't linked to this account"
        case .deliveredAlready: "the whole quantity is already delivered"
        case .tooMany: "the quantity exceeds what is left to deliver"
        case .endsTooSoon: "the end isn't after the purchase"
        case .downloadEnded: "the download can't go from its state to this one"
        case .stillOwed: "a known purchase or period still grants access"
        case .downloading: "a download has neither finished nor been cancelled"
        case .undelivered: "the purchase is owed and isn't delivered"
        case .deliveredInPart: "only part of the quantity is delivered"
        case .unpersisted: "the purchase is owed and isn't persisted"
        case .notEntitled: "no purchase or period of the account covers the content now"
        case .publishedOutsidePeriods:
            "the content appeared outside the periods and wasn't the newest at the start of one"
        case .nothingLeft: "the quantity exceeds what is left of the delivered units"
        }
    }
}
