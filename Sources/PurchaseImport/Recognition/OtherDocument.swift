import PurchaseEvents

/// A document of the App Store that states nothing a log has a place for (appstore.md, 2.10).
enum OtherDocument {
    case retentionRequest, apiError, extensionAnswer, massExtensionAnswer, testAnswer, group

    init?(_ document: JSONValue) {
        func has(_ keys: String...) -> Bool { keys.allSatisfy { document[$0] != nil } }
        if has("requestIdentifier", "userLocale") {
            self = .retentionRequest
        } else if has("errorCode", "errorMessage") {
            self = .apiError
        } else if has("success", "effectiveDate") {
            self = .extensionAnswer
        } else if has("requestIdentifier"), has("complete") || document.members?.count == 1 {
            self = .massExtensionAnswer
        } else if has("testNotificationToken") {
            self = .testAnswer
        } else if document["groups"]?.elements != nil || document["members"]?.elements != nil {
            self = .group
        } else {
            return nil
        }
    }

    /// The severity: only an error body stands for data that is missing.
    var level: Level { self == .apiError ? .warning : .note }

    /// What the document is, and what states the facts that it is about.
    var message: String {
        switch self {
        case .retentionRequest:
            "a request for a retention message, not a notification: it states no purchase"
        case .apiError:
            "an error of the App Store Server API, not an answer: request the data again"
        case .extensionAnswer:
            "an answer to Extend a Subscription Renewal Date: the notification RENEWAL_EXTENDED or "
                + "the transaction states the new date"
        case .massExtensionAnswer:
            "an answer to Extend Subscription Renewal Dates for All Active Subscribers: the "
                + "notifications RENEWAL_EXTENDED or the transactions state the new dates"
        case .testAnswer:
            "an answer to Request a Test Notification: the notification TEST is the test itself"
        case .group:
            "a page of a purchasing group: membership is no entitlement; the transactions of the "
                + "members state their seats"
        }
    }
}
