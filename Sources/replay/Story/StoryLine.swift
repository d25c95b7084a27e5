import PurchaseEvents

struct StoryLine {
    /// The number of the line in the log, and its place in the files.
    var number: Int
    var path: String
    var line: Int
    var seq: Int64
    var at: Timestamp
    var type: EventType
    var words: String
    var account: String?
    var device: String?
    var transaction: String?
    var payment: String?
    var original: String?
    /// The notification that states the event.
    var source: String?
    var environment = Environment.production
    /// Whether the line is shown only to explain a later one.
    var isContext = false
    var changes: [PhaseChange] = []
    /// Whether the state machine forbids the event at this point, so that it changes nothing.
    var isForbidden = false
    var findings: [Remark] = []
    var unknown: [UnknownKeys.Member] = []
}
