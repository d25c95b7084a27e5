import PurchaseEvents

/// The options of a redaction.
public struct Redaction: Sendable {
    /// The key of the pseudonyms; `nil` keeps names and texts unchanged, for tests.
    public var key: RedactionKey?
    /// Whether products, groups and content are replaced too.
    public var replacesProducts = false
    /// The number of whole days by which every date is shifted.
    public var shift: Int64 = 0
    /// Whether the redacted log is chained.
    ///
    /// The order of a chained log is that in which its lines were written, whatever the clocks of
    /// their devices say, so rules may find more in it than in the same lines without a chain.
    public var isChained = false

    /// Creates a redaction with a key.
    public init(_ key: RedactionKey) { self.key = key }

    private init() { key = nil }

    /// A redaction that changes no name, text or date; the result is the canonical log.
    public static let identity = Redaction()

    /// The largest shift of dates in days, forward or back.
    public static let largestShift: Int64 = 36_500
}

/// The counts of lines, and of texts and keys that a redaction replaced by digests.
public struct RedactionSummary: Hashable, Sendable {
    /// The number of lines, of events, and of blank lines.
    public internal(set) var lines = 0, events = 0, blank = 0
    /// The number of lines replaced by a line without content.
    ///
    /// A line is replaced if it isn't an event, if its dates can't be shifted that far, or if it
    /// would become too long.
    public internal(set) var notUnderstood = 0
    /// The number of texts removed: remarks, errors and other open texts that aren't known words.
    public internal(set) var texts = 0
    /// The number of unknown keys removed.
    public internal(set) var unknownKeys = 0
    /// Whether the log was chained; see ``Redaction/isChained``.
    public internal(set) var wasChained = false

    mutating func add(_ other: RedactionSummary) {
        lines += other.lines
        events += other.events
        blank += other.blank
        notUnderstood += other.notUnderstood
        texts += other.texts
        unknownKeys += other.unknownKeys
        wasChained = wasChained || other.wasChained
    }
}
