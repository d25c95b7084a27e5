import PurchaseEvents

/// A notification of version 2 before it is signed: what its parts say, and what that means.
struct StoreNotification: Sendable {
    /// The type and the subtype in the words of the App Store.
    var type: String, subtype: String?
    var signedAt: Timestamp
    var environment: Environment
    /// The UUID that every attempt to send the notification repeats.
    var uuid = ""
    var transaction: StoreTransaction?
    var subscription: StoreSubscription?
    /// The transaction of the subscription's latest period.
    var current: StoreTransaction?
    /// The status of the subscription, or `nil` without one.
    var status: Int64?
    /// Why a customer asks for a refund.
    var requestReason: String?
    /// The other payload of a notification that has no `data`: its key, and its JSON.
    var otherPayload: (key: String, json: String)?
    /// The facts that the notification states, in the words of a log.
    var facts: [Fact<Written>] = []
    var isSample = false

    /// The account that the signed parts name.
    var account: String? { transaction?.token }
    var original: String? { transaction?.original ?? subscription?.original }
}
