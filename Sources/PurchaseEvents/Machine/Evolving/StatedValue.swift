/// The time and type of a statement, which decide between conflicting statements.
///
/// A statement in production wins over one in tests (G9.3). Otherwise the later statement wins, and
/// at equal times the statement with the greater canonical bytes (event-log.md, 4). The bytes begin
/// with the type, and the state keeps no more of them: if two conflicting statements have the same
/// time and type, the one that arrives last wins.
struct StatementVersion: Hashable, Comparable, Sendable {
    var time: Timestamp
    var type: EventType
    /// Whether the statement was made in sandbox or xcode.
    var isOfTests: Bool

    /// The time is the event's `signedAt`, else `ownDate`, else the event's `at`.
    init<S: Spelling>(_ event: Event<S>, in environment: Environment, ownDate: Timestamp? = nil) {
        time = event.signedAt ?? ownDate ?? event.at
        type = event.type
        isOfTests = environment != .production
    }

    static func < (left: StatementVersion, right: StatementVersion) -> Bool {
        if left.isOfTests != right.isOfTests { return left.isOfTests }
        if left.time != right.time { return left.time < right.time }
        return left.type != right.type && left.type.wireName < right.type.wireName
    }
}

extension StatementVersion {
    /// Whether this version wins where the earliest statement counts.
    fileprivate func isFirst(before other: StatementVersion) -> Bool {
        isOfTests == other.isOfTests ? self < other : !isOfTests
    }
}

/// A value that statements set: the latest version, or for some values the earliest, wins in any
/// order of arrival.
struct StatedValue<Value: Hashable & Sendable>: Hashable, Sendable {
    private(set) var value: Value?
    private(set) var version: StatementVersion?

    /// Sets the value unless a later statement has set another; `nil` changes nothing.
    mutating func set(_ new: Value?, _ newVersion: StatementVersion) {
        guard let new else { return }
        if let version, newVersion < version { return }
        value = new
        version = newVersion
    }

    /// Sets the value unless an earlier statement has set another; `nil` changes nothing.
    mutating func setEarliest(_ new: Value?, _ newVersion: StatementVersion?) {
        guard let new, let newVersion else { return }
        if let version, !newVersion.isFirst(before: version) { return }
        value = new
        version = newVersion
    }

    mutating func discardTests() { if let version, version.isOfTests { self = StatedValue() } }
}

extension StatedValue: BitwiseCopyable where Value: BitwiseCopyable {}
