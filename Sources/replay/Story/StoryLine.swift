import PurchaseEvents

/// A line of a story.
struct StoryLine {
    /// Where it is: its number in the log, and its place in the files.
    var number: Int
    var path: String
    var line: Int
    var seq: Int64
    var at: Timestamp
    var type: EventType
    /// What happened, in plain words.
    var words: String
    var account: String?
    var device: String?
    var transaction: String?
    var payment: String?
    var original: String?
    /// The notification that said it.
    var source: String?
    /// The environment that it is said in.
    var environment = Environment.production
    /// Whether it is told only for what came after it.
    var isContext = false
    var changes: [PhaseChange] = []
    /// Whether the machine forbids it where it stands, so that it changes nothing.
    var isForbidden = false
    var findings: [Remark] = []
    var unknown: [UnknownKeys.Member] = []
}
