import PurchaseEvents

/// The versions of the statements that registers hold (event-log.md, 4).
///
/// A statement's version is its `signedAt`, otherwise its own date, otherwise its `at`. Of two
/// statements with one version, the one with the greater canonical bytes wins. A production
/// statement wins over one from a test environment, whatever their versions (G9.3). The bytes of a
/// statement are kept while a register holds it.
struct Versions: Snapshotted {
    private var statements: StatementBytes
    /// The statement being recorded, and the number of registers that hold it.
    private var current = VersionID(), holders: UInt32 = 0
    /// The latest comparison; cleared when a version number is reused.
    private var latest = Comparison()

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&statements).visit(&current).visit(&holders).visit(&latest)
    }

    /// Whether the new statement wins over the old one by the greatest version, and by the least.
    private struct Comparison {
        var new = VersionID(), old = VersionID()
        var wins = false, isFirst = false
    }

    init(names: NameTable) { statements = StatementBytes(names: names) }

    /// Adds a statement; call ``discard(_:)`` once registers have retained it.
    mutating func add(
        _ event: LogEvent, time: Timestamp, in environment: Environment, on line: Line
    ) -> VersionID {
        latest = Comparison()
        current = statements.append(event, time: time, isTest: environment != .production, on: line)
        holders = 0
        return current
    }

    /// Whether the first statement wins over the second by the greatest version; any statement wins
    /// over none.
    @inline(__always)
    mutating func wins(_ new: VersionID, over old: VersionID) -> Bool {
        guard old.index != 0 else { return true }
        // The registers of one transaction usually hold the same statement.
        if latest.new != new || latest.old != old { latest = compare(new, old) }
        return latest.wins
    }

    /// Whether the first statement wins over the second by the least version; any statement wins
    /// over none.
    @inline(__always)
    mutating func isFirst(_ new: VersionID, before old: VersionID) -> Bool {
        guard old.index != 0 else { return true }
        if latest.new != new || latest.old != old { latest = compare(new, old) }
        return latest.isFirst
    }

    func precedes(_ old: VersionID, _ new: VersionID) -> Bool {
        old != new && (old.index == 0 || new.index != 0 && compare(new, old).wins)
    }

    private func compare(_ new: VersionID, _ old: VersionID) -> Comparison {
        let isTest = isTest(new)
        if isTest != self.isTest(old) {
            return Comparison(new: new, old: old, wins: !isTest, isFirst: !isTest)
        }
        let isGreater = isGreater(new, than: old)
        return Comparison(new: new, old: old, wins: isGreater, isFirst: !isGreater)
    }

    private func isGreater(_ new: VersionID, than old: VersionID) -> Bool {
        let (newTime, oldTime) = (time(of: new), time(of: old))
        if newTime.milliseconds != oldTime.milliseconds {
            return newTime.milliseconds > oldTime.milliseconds
        }
        return statements.precedes(old, new)
    }

    @inline(__always)
    func time(of version: VersionID) -> Timestamp { statements.time(of: version) }

    /// Whether a statement was made in sandbox or xcode.
    @inline(__always)
    func isTest(_ version: VersionID) -> Bool { statements.isTest(version) }

    @inline(__always)
    mutating func retain(_ version: VersionID) {
        if version == current { holders &+= 1 } else { statements.retain(version) }
    }

    @inline(__always)
    mutating func release(_ version: VersionID) {
        guard version.index != 0 else { return }
        if version == current { holders &-= 1 } else { statements.release(version) }
    }

    /// Ends the recording of a statement, and frees the statement if no register holds it.
    mutating func discard(_ version: VersionID) {
        statements.settle(version, holders: holders)
        current = VersionID()
    }
}

/// The number of a statement in ``Versions``; 0 means none.
struct VersionID: Hashable, Sendable {
    var index: UInt32 = 0

    @inline(__always)
    static func == (left: VersionID, right: VersionID) -> Bool { left.index == right.index }
}
