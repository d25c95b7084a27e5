import PurchaseEvents

/// The picture of one account in one log.
struct AccountPicture {
    var id = 0
    var log: Int
    /// The account; `nil` for lines without a known account.
    var account: String?
    var marks: [EventMark] = []
    var leftOut = 0
    var subscriptions: [DrawnSubscription] = []
    var subscriptionsLeftOut = 0
    var findings: [ReportFinding] = []
    /// The instant of the picture: `--as-of`, or the latest time of recording in the log.
    var end: Timestamp
}

struct EventMark {
    var number: Int
    var seq: Int64
    var at: Timestamp
    var type: EventType
    var words: String
    /// The index of the event's subscription in the picture; `nil` if there is none.
    var subscription: Int?
}

/// A subscription: its periods as bars, and the gaps between them.
struct DrawnSubscription {
    var original: String
    /// The product of the last period.
    var product: String?
    var spans: [DrawnSpan]
    /// The number of earlier spans that are left out.
    var leftOut = 0
}

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
