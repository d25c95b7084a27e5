import PurchaseEvents

/// The versions of the statements that registers hold (event-log.md, 4).
///
/// A statement's version is its `signedAt`, else its own date, else its `at`; of two with one
/// version the one with the greater canonical bytes wins. The bytes of a statement are kept while
/// a register holds it.
struct Versions: Sendable {
    private struct Entry: Sendable {
        var time: Timestamp
        var holders: UInt32
        var bytes: StatementBytes.Place
    }

    private var entries = DenseTable(
        Entry(
            time: Timestamp(milliseconds: 0), holders: 0, bytes: StatementBytes.Place()))
    private var free: [UInt32] = []
    private var bytes = StatementBytes()
    /// The comparison that was made last; forgotten where a number gets a new statement.
    private var latest = (new: VersionID(), old: VersionID(), wins: false)

    /// Takes in a statement that no register holds yet.
    mutating func add(_ type: EventType, time: Timestamp, _ line: Line) -> VersionID {
        latest = (VersionID(), VersionID(), false)
        let place = line.withStatement { bytes.append(type, $0) }
        let entry = Entry(time: time, holders: 0, bytes: place)
        if let index = free.popLast() {
            entries[Int(index)] = entry
            return VersionID(index: index + 1)
        }
        entries.append(entry)
        return VersionID(index: UInt32(entries.count))
    }

    /// Whether the first statement wins over the second; anything wins over no statement.
    @inline(__always)
    mutating func wins(_ new: VersionID, over old: VersionID) -> Bool {
        guard old.index != 0 else { return true }
        // The registers of one transaction mostly hold one statement.
        if latest.new != new || latest.old != old {
            latest = (new, old, compare(new, old))
        }
        return latest.wins
    }

    private func compare(_ new: VersionID, _ old: VersionID) -> Bool {
        let (new, old) = (Int(new.index) - 1, Int(old.index) - 1)
        let (newTime, oldTime) = (entries[new].time, entries[old].time)
        if newTime.milliseconds != oldTime.milliseconds {
            return newTime.milliseconds > oldTime.milliseconds
        }
        return bytes.precedes(entries[old].bytes, entries[new].bytes)
    }

    func time(of version: VersionID) -> Timestamp { entries[Int(version.index) - 1].time }

    mutating func hold(_ version: VersionID) { entries[Int(version.index) - 1].holders += 1 }

    mutating func release(_ version: VersionID) {
        guard version.index != 0 else { return }
        entries[Int(version.index) - 1].holders -= 1
        discard(version)
    }

    /// Forgets a statement that no register holds.
    mutating func discard(_ version: VersionID) {
        let index = Int(version.index) - 1
        guard entries[index].holders == 0 else { return }
        bytes.forget(entries[index].bytes)
        entries[index].bytes = StatementBytes.Place()
        free.append(version.index - 1)
        if bytes.garbage > 1 << 16, bytes.garbage > bytes.count / 2 { compact() }
    }

    private mutating func compact() {
        var kept = StatementBytes()
        for index in entries.indices where entries[index].holders > 0 {
            entries[index].bytes = bytes.withBytes(entries[index].bytes) { kept.append($0) }
        }
        bytes = kept
    }
}

/// A statement that ``Versions`` keeps; 0 is none.
struct VersionID: Hashable, Sendable {
    var index: UInt32 = 0

    @inline(__always)
    static func == (left: VersionID, right: VersionID) -> Bool { left.index == right.index }
}

/// One thing that statements say, each for itself: the greatest version wins.
struct Register<Value: Sendable>: Sendable {
    private(set) var value: Value?
    private var version = VersionID()

    /// Takes a value that a statement says; an absent one says nothing.
    @inline(__always)
    mutating func say(_ new: Value?, _ statement: VersionID, _ versions: inout Versions) {
        guard let new, versions.wins(statement, over: version) else { return }
        versions.hold(statement)
        versions.release(version)
        value = new
        version = statement
    }

    /// Takes a value as ``say(_:_:_:)`` does, but of the statements keeps the least version.
    mutating func sayFirst(_ new: Value?, _ statement: VersionID, _ versions: inout Versions) {
        guard let new, version.index == 0 || !versions.wins(statement, over: version) else {
            return
        }
        versions.hold(statement)
        versions.release(version)
        value = new
        version = statement
    }

    /// Takes what another register holds, where its statement is of the lesser version.
    mutating func sayFirst(_ other: Register<Value>, _ versions: inout Versions) {
        guard other.version.index != 0 else { return }
        sayFirst(other.value, other.version, &versions)
    }

    /// When the statement that won was made.
    func time(_ versions: Versions) -> Timestamp? {
        version.index == 0 ? nil : versions.time(of: version)
    }
}
