import PurchaseEvents

/// The open keys of one device or account, kept as a list of openings and closings.
///
/// An opening or closing costs one append. The list is compacted for each query, and whenever it
/// doubles, so memory is proportional to the open keys.
struct OpenKeys: Sendable, SnapshottedElement {
    /// An opening or closing of a key, and its line.
    struct Mark: Sendable {
        var key: HandleKey
        var line: LineNumber
        /// The account that opened the key, if recorded.
        @Packed private(set) var account: AccountHandle?
        fileprivate var opens: Bool

        fileprivate init(
            key: HandleKey, line: LineNumber, by account: AccountHandle?, opens: Bool
        ) {
            (self.key, self.line, self.opens) = (key, line, opens)
            self.account = account
        }
    }

    /// The recorded openings and closings; after compaction, only the open ones, by line.
    private(set) var marks = InlineList<Mark>()
    private var limit = 64

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&marks).visit(&limit) }

    /// Whether nothing is recorded.
    var isEmpty: Bool { marks.isEmpty }

    private mutating func open(
        _ key: HandleKey, _ line: LineNumber, by account: AccountHandle? = nil
    ) {
        marks.append(Mark(key: key, line: line, by: account, opens: true))
    }

    /// Closes all earlier openings of a key.
    private mutating func close(_ key: HandleKey, _ line: LineNumber) {
        if marks.count == 1, marks[0].key == key {
            // Usually nothing else is open.
            marks.removeAll()
        } else if !marks.isEmpty {
            marks.append(Mark(key: key, line: line, by: nil, opens: false))
        }
    }

    /// Opens or closes a key, and compacts a long list.
    mutating func note(
        _ key: HandleKey, _ line: LineNumber, by account: AccountHandle? = nil, opens: Bool
    ) {
        if opens { open(key, line, by: account) } else { close(key, line) }
        if marks.count >= limit { compact() }
    }

    /// Removes everything except openings that nothing closed.
    mutating func compact() { if marks.count <= 8 { compactFew() } else { compactMany() } }

    /// Removes all but the first `count` marks.
    mutating func cut(to count: Int) {
        marks.cut(to: count)
        limit = max(64, count &* 2)
    }

    private mutating func compactFew() {
        var kept = 0
        for index in marks.indices where marks[index].opens {
            if isOver(index) { continue }
            if index != kept { marks[kept] = marks[index] }
            kept &+= 1
        }
        cut(to: kept)
    }

    private func isOver(_ index: Int) -> Bool {
        var later = index &+ 1
        while later < marks.count {
            if marks[later].key == marks[index].key, !marks[later].opens { return true }
            later &+= 1
        }
        return false
    }

    private mutating func compactMany() {
        var over: Set<HandleKey> = []
        var kept: [Mark] = []
        for mark in marks.reversed() {
            if mark.opens, !over.contains(mark.key) { kept.append(mark) }
            if !mark.opens { over.insert(mark.key) }
        }
        marks = InlineList(kept.reversed())
        cut(to: marks.count)
    }
}
