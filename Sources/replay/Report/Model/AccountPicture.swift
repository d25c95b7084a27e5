import PurchaseEvents

/// What is drawn of one account of one log.
struct AccountPicture {
    /// The number of the picture on the page, counted from 1.
    var id = 0
    /// The index of the log.
    var log: Int
    /// The account; `nil` for lines that belong to no known account.
    var account: String?
    /// The account's lines, in the order of the log.
    var marks: [EventMark] = []
    /// The number of lines that are left out.
    var leftOut = 0
    /// The account's subscriptions.
    var subscriptions: [DrawnSubscription] = []
    /// The number of subscriptions that are left out.
    var subscriptionsLeftOut = 0
    /// The account's findings.
    var findings: [ReportFinding] = []
    /// The instant up to which the log tells.
    var end: Timestamp
}

/// A line of the log as a mark.
struct EventMark {
    /// The number of the line in its log.
    var number: Int
    var seq: Int64
    var at: Timestamp
    var type: EventType
    /// What happened, in plain words.
    var words: String
    /// The subscription that the event belongs to, by the index in the picture; `nil` for none.
    var subscription: Int?
}

/// A subscription line: its periods as bars, and the gaps between them.
struct DrawnSubscription {
    /// The original that keys the line.
    var original: String
    /// The product of the last period.
    var product: String?
    var spans: [DrawnSpan]
    /// The number of earlier spans that are left out.
    var leftOut = 0
}

/// A stretch of time of a subscription.
struct DrawnSpan: Hashable {
    enum Kind: Hashable {
        /// A period with access; `ended` says why it ended early.
        case period(ended: String?)
        /// Access without payment after a failed renewal.
        case grace
        /// No access between two periods.
        case lapse
    }

    var kind: Kind
    var from: Timestamp, until: Timestamp
    var product: String?
    var transaction: String?

    /// The span in words.
    var words: String {
        let time = "from \(EventWords.time(from)) until \(EventWords.time(until))"
        switch kind {
        case .period(let ended):
            return "\(product ?? "period") \(time)"
                + (transaction.map { ", transaction \($0)" } ?? "")
                + (ended.map { ", ended early: \($0)" } ?? "")
        case .grace: return "grace period \(time)"
        case .lapse: return "no access \(time)"
        }
    }
}
