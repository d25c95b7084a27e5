/// Why the app may not perform a command or record an event, in order of precedence.
///
/// If several reasons apply, the first in this order is thrown. Each stands for the rule that would
/// be broken; ``rule`` holds the mapping.
public enum Refusal: String, Error, CaseIterable, Hashable, Sendable {
    /// The event to record is an app's own act: it must be performed as a ``Command``.
    case isACommand
    /// The notification that the event came from isn't the App Store's (G7.2).
    case untrustedSource
    /// The observer isn't registered, so the queue is neither heard nor spoken to (G4.1).
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
    /// The quantity exceeds what is left to deliver (G3.1).
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
    /// The quantity exceeds what is left of the delivered units (G4.11).
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
        case .isACommand: "an act of the app is performed as a command, not recorded"
        case .untrustedSource: "the notification's secret is wrong or its signature is invalid"
        case .notObserved: "the observer is not registered; it is from the launch on"
        case .restricted: "the user may not pay since the launch"
        case .quantityNotSane: "the quantity is not 1 to 10 of a consumable or 1 of the rest"
        case .unpaid: "no statement says that it was bought; it must be purchased or restored"
        case .notAtItsEnd: "it has not failed, nor been purchased or restored"
        case .finishedAlready: "it is finished and has not been presented since"
        case .afterFinish: "it is finished; only what was withdrawn is delivered again"
        case .otherEnvironment: "it was bought in a test environment, and this is production"
        case .invalid: "its validation found it invalid"
        case .refunded: "it is refunded or revoked"
        case .otherAccount: "another account paid for it; its line is not linked to this one"
        case .otherOwner: "it belongs to another account; its line is not linked to this one"
        case .deliveredAlready: "its whole quantity is delivered"
        case .tooMany: "fewer are left to be delivered"
        case .endsTooSoon: "its end is not after its purchase"
        case .downloadEnded: "the download does not go from its state to this one"
        case .stillOwed: "a purchase or a period that is known still entitles to it"
        case .downloading: "a download of it has neither finished nor been cancelled"
        case .undelivered: "it is owed and not delivered"
        case .deliveredInPart: "only a part of its quantity is delivered"
        case .unpersisted: "it is owed and not persisted"
        case .notEntitled: "no purchase and no period of the account covers it now"
        case .publishedOutsidePeriods:
            "it appeared outside the periods and was not the newest at the start of one"
        case .nothingLeft: "fewer are left of what was delivered"
        }
    }
}
