import PurchaseEvents

/// What a redaction replaces, and how.
public struct Redaction: Sendable {
    /// The key of the pseudonyms; `nil` keeps names and texts as they are, for tests.
    public var key: RedactionKey?
    /// Whether products, groups and contents are replaced too.
    public var replacesProducts = false
    /// By how many whole days every date is moved.
    public var shift: Int64 = 0
    /// Whether the log is chained anew; otherwise it is unchained.
    public var isChained = false

    /// Creates a redaction under a key.
    public init(_ key: RedactionKey) { self.key = key }

    private init() { key = nil }

    /// The redaction that changes no name, no text and no date: what is left is the canonical log.
    public static let identity = Redaction()

    /// The largest number of days that dates may be moved by, forward or back.
    public static let largestShift: Int64 = 36_500
}

/// What a redaction did, and what it took out.
public struct RedactionSummary: Hashable, Sendable {
    /// The number of lines, and of those that are events and that are blank.
    public internal(set) var lines = 0, events = 0, blank = 0
    /// The number of lines that are no events, or whose dates can't be moved so far; a line that
    /// says nothing stands for each.
    public internal(set) var notUnderstood = 0
    /// The number of texts that were taken out: remarks of persons, errors and other open texts
    /// that aren't the format's own words.
    public internal(set) var texts = 0
    /// The number of unknown keys that were taken out.
    public internal(set) var unknownKeys = 0

    mutating func add(_ other: RedactionSummary) {
        lines += other.lines
        events += other.events
        blank += other.blank
        notUnderstood += other.notUnderstood
        texts += other.texts
        unknownKeys += other.unknownKeys
    }
}
