/// When a statement was made, and of which type it is: what decides between two of them.
///
/// What is stated in production wins over what is stated of tests (G9.3). Of two statements of
/// either the later one wins, and of two of one instant the one whose canonical bytes
/// are greater (event-log.md, 4). The bytes begin with the type. The state keeps no more of them:
/// of two that contradict each other with one instant and one type, the one heard last wins.
struct StatementVersion: Hashable, Comparable, Sendable {
    var time: Timestamp
    var type: EventType
    /// Whether it was made in sandbox or xcode.
    var isOfTests: Bool

    /// The version of what an event of an environment says: its `signedAt`, else its own date,
    /// else its `at`.
    init<S: Spelling>(
        _ event: Event<S>, in environment: Environment, ownDate: Timestamp? = nil
    ) {
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
    /// Whether it counts over another one where the earliest statement does.
    fileprivate func isFirst(before other: StatementVersion) -> Bool {
        isOfTests == other.isOfTests ? self < other : !isOfTests
    }
}

/// One thing that statements say, each for itself: the latest version wins, whatever the order in
/// which they arrive.
struct StatedValue<Value: Hashable & Sendable>: Hashable, Sendable {
    private(set) var value: Value?
    private(set) var version: StatementVersion?

    /// Takes a value unless a later statement said another; an absent one says nothing.
    mutating func say(_ new: Value?, _ newVersion: StatementVersion) {
        guard let new else { return }
        if let version, newVersion < version { return }
        value = new
        version = newVersion
    }

    /// Takes a value unless an earlier statement said another; an absent one says nothing.
    mutating func sayFirst(_ new: Value?, _ newVersion: StatementVersion?) {
        guard let new, let newVersion else { return }
        if let version, !newVersion.isFirst(before: version) { return }
        value = new
        version = newVersion
    }

    /// Forgets what was said of tests.
    mutating func forgetTests() {
        if let version, version.isOfTests { self = StatedValue() }
    }
}
