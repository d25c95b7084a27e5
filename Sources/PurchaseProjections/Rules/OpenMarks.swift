import PurchaseEvents

/// What was opened and closed at some place, written down as it comes and settled when asked.
///
/// Most places see a few openings between two questions, so writing down costs an append, and
/// what is open is found by looking back. Memory follows what is open: a list is settled whenever
/// it has doubled.
struct OpenMarks: Sendable {
    /// An opening or a closing of a key, and its line.
    struct Mark: Sendable {
        var key: HandleKey
        var line: LineNumber
        /// Who opened it, where that was noted.
        private var opener = OptionalName<Roles.Account>()
        fileprivate var opens: Bool

        fileprivate init(
            key: HandleKey, line: LineNumber, by account: AccountID<Interned>?, opens: Bool
        ) {
            (self.key, self.line, self.opens) = (key, line, opens)
            opener.value = account
        }

        var account: AccountID<Interned>? { opener.value }
    }

    /// Whether an opening takes the place of those of its key before it.
    private let renews: Bool
    /// What was written down; after settling, the openings that nothing closed, by line.
    private(set) var marks = Few<Mark>()
    private var limit = 64

    init(renews: Bool) { self.renews = renews }

    /// Whether nothing is written down.
    var isEmpty: Bool { marks.isEmpty }

    /// Whether there is so much that settling is worth its while.
    var isLong: Bool { marks.count >= limit }

    mutating func open(
        _ key: HandleKey, _ line: LineNumber, by account: AccountID<Interned>? = nil
    ) {
        marks.append(Mark(key: key, line: line, by: account, opens: true))
    }

    /// Closes every opening of a key that came before.
    mutating func close(_ key: HandleKey, _ line: LineNumber) {
        if marks.count == 1, marks[0].key == key {
            // Mostly nothing else is open.
            marks.removeAll()
        } else if !marks.isEmpty {
            marks.append(Mark(key: key, line: line, by: nil, opens: false))
        }
    }

    /// Opens or closes a key, and settles where it is worth its while.
    mutating func note(
        _ key: HandleKey, _ line: LineNumber, by account: AccountID<Interned>? = nil, opens: Bool
    ) {
        if opens { open(key, line, by: account) } else { close(key, line) }
        if isLong { settle() }
    }

    /// Leaves the openings that nothing closed.
    mutating func settle() {
        if marks.count <= 8 { settleFew() } else { settleMany() }
    }

    /// Puts a mark at an earlier place, whose mark is forgotten.
    mutating func move(_ index: Int, to earlier: Int) {
        if index != earlier { marks[earlier] = marks[index] }
    }

    /// Forgets all but the first marks.
    mutating func cut(to count: Int) {
        marks.cut(to: count)
        limit = max(64, count &* 2)
    }

    private mutating func settleFew() {
        var kept = 0
        for index in marks.indices where marks[index].opens {
            if isOver(index) { continue }
            move(index, to: kept)
            kept &+= 1
        }
        cut(to: kept)
    }

    private func isOver(_ index: Int) -> Bool {
        var later = index &+ 1
        while later < marks.count {
            if marks[later].key == marks[index].key, renews || !marks[later].opens { return true }
            later &+= 1
        }
        return false
    }

    private mutating func settleMany() {
        var over: Set<HandleKey> = []
        var kept: [Mark] = []
        for mark in marks.reversed() {
            if mark.opens, !over.contains(mark.key) { kept.append(mark) }
            if renews || !mark.opens { over.insert(mark.key) }
        }
        marks = Few(kept.reversed())
        cut(to: marks.count)
    }
}
