import PurchaseEvents

/// Edits without conflicts, by the line where they take effect.
struct EditPlan: Sendable {
    enum Piece: Sendable {
        /// A new line: its members, and its index among the inserted lines.
        case inserted(LineMembers, Int)
        /// An existing line that moves here.
        case moved(Int)
    }

    /// The ranges of lines to drop, sorted and disjoint.
    private(set) var drops: [ClosedRange<Int>] = []
    private(set) var sets: [Int: [(key: String, value: String)]] = [:]
    /// The pieces to write before each line, in the order of the edits.
    private(set) var pieces: [Int: [Piece]] = [:]
    /// The moved lines, each with its new place.
    private(set) var moves: [Int: Int] = [:]

    init(_ edits: [LogEdit]) throws(EditProblem) {
        var inserted = 0
        for edit in edits {
            switch edit {
            case .drop(let lines): drops.append(lines)
            case .set(let line, let key, let value):
                try EditPlan.checkSettable(key, line)
                if sets[line, default: []].contains(where: { $0.key == key }) {
                    throw EditProblem(
                        .conflict, "`\(EscapedText.excerpt(of: key))` of line \(line) is set twice")
                }
                sets[line, default: []].append((key, value))
            case .insert(let place, let json):
                inserted += 1
                let members = try EditPlan.members(of: json, place)
                pieces[place, default: []].append(.inserted(members, inserted))
            case .move(let line, let place):
                guard moves.updateValue(place, forKey: line) == nil else {
                    throw EditProblem(.conflict, "line \(line) is moved twice")
                }
                pieces[place, default: []].append(.moved(line))
            }
        }
        drops = EditPlan.joined(drops)
        for (edited, words) in [(Array(sets.keys), "set"), (Array(moves.keys), "moved")] {
            guard let line = edited.sorted().first(where: isDropped) else { continue }
            throw EditProblem(.conflict, "line \(line) is both dropped and \(words); choose one")
        }
        try checkOpenings()
    }

    // MARK: The line that opens the log

    /// Whether a `log.opened` is inserted before line 1 or in its stead.
    private(set) var insertsOpening = false

    /// The number of the line that comes first in the edited log; `nil` if it is an inserted one.
    private(set) var firstLine: Int?

    /// The least place where a line is inserted or moved to.
    private(set) var firstPlace: Int?

    /// Throws if an inserted `log.opened` would not be the first line of the log.
    private mutating func checkOpenings() throws(EditProblem) {
        firstPlace = pieces.keys.min()
        firstLine = firstKeptLine
        let isPieceFirst = (firstPlace ?? .max) <= firstKeptLine
        if isPieceFirst, let piece = firstPlace.flatMap({ pieces[$0]?.first }) {
            firstLine = if case .moved(let line) = piece { line } else { nil }
        }
        for place in pieces.keys.sorted() {
            for (index, piece) in (pieces[place] ?? []).enumerated() where EditPlan.isOpening(piece)
            {
                guard isPieceFirst, place == firstPlace, index == 0 else {
                    throw EditPlan.lateOpening("the line inserted at \(place)")
                }
                insertsOpening = true
            }
        }
    }

    /// Throws if an event of the log would be a `log.opened` below the first line because of the
    /// edits. The types are those before and after them; `isFirst` tells whether no event comes
    /// before it in the original.
    func checkOpening(
        _ line: Int, _ before: EventType?, _ after: EventType?, isFirst: Bool
    ) throws(EditProblem) {
        guard after == .logOpened, line != firstLine, !isDropped(line) else { return }
        if let place = moves[line] {
            throw EditPlan.lateOpening("line \(line), moved to \(place)")
        }
        if before != .logOpened { throw EditPlan.lateOpening("line \(line)") }
        if isFirst, let firstPlace, firstPlace <= line {
            throw EditProblem(
                .notALine,
                "line \(line) opens the log: expected no line before it, seen one inserted at or "
                    + "moved to line \(firstPlace)")
        }
    }

    private static func lateOpening(_ words: String) -> EditProblem {
        EditProblem(
            .notALine, "\(words): expected log.opened only at line 1, where it opens the log")
    }

    private static func isOpening(_ piece: Piece) -> Bool {
        if case .inserted(let members, _) = piece { members.type == .logOpened } else { false }
    }

    /// The first line that stays in its place.
    private var firstKeptLine: Int {
        var line = 1
        while true {
            let next = drops.lowerBound { $0.upperBound >= line }
            if next < drops.count, drops[next].contains(line) {
                line = drops[next].upperBound + 1
            } else if moves[line] != nil {
                line += 1
            } else {
                return line
            }
        }
    }

    func isDropped(_ line: Int) -> Bool {
        let next = drops.lowerBound { $0.upperBound >= line }
        return next < drops.count && drops[next].contains(line)
    }

    var isEmpty: Bool { drops.isEmpty && sets.isEmpty && pieces.isEmpty }

    /// The lines that must exist; a place may also be one above the last line.
    var requiredLines: [(line: Int, isPlace: Bool)] {
        drops.map { ($0.upperBound, false) } + sets.keys.map { ($0, false) }
            + moves.keys.map { ($0, false) } + pieces.keys.map { ($0, true) }
    }

    private static func joined(_ ranges: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
        ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, range in
            guard let last = joined.last, range.lowerBound <= last.upperBound else {
                return joined.append(range)
            }
            joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
        }
    }

    private static func checkSettable(_ key: String, _ line: Int) throws(EditProblem) {
        switch key {
        case Key.seq.wireName:
            throw EditProblem(.conflict, "`seq` of line \(line) can't be set: lines are renumbered")
        case Key.chain.wireName:
            throw EditProblem(
                .conflict, "`chain` of line \(line) can't be set: an edited log is unchained")
        case _: return
        }
    }

    /// The members of an inserted line, with `seq` set to 1 and without `chain`; while the line is
    /// checked, a placeholder stands in for an absent `at`.
    private static func members(of json: String, _ place: Int) throws(EditProblem) -> LineMembers {
        let words = "the line inserted at \(place)"
        let bytes = Array(json.utf8)
        guard !bytes.contains(0x0A) else {
            throw EditProblem(.notALine, "\(words): expected one line, seen a line break")
        }
        guard var members = LineMembers(bytes) else {
            throw .notALine(words, diagnostic(of: bytes))
        }
        members.set(Key.seq.wireName, .number("1"))
        members.set(Key.chain.wireName, nil)
        var checked = members
        if !members.has(Key.at.wireName) {
            checked.set(Key.at.wireName, .string(Timestamp(milliseconds: 0).text))
        }
        // Check the original bytes for a repeated key, which the members hide.
        if diagnostic(of: bytes).code == .duplicateKey {
            throw .notALine(words, diagnostic(of: bytes))
        }
        if case .notUnderstood(let diagnostic) = decode(checked.bytes) {
            throw .notALine(words, diagnostic)
        }
        return members
    }

    private static func decode(_ bytes: [UInt8]) -> DecodedLine<Written> {
        bytes.withUnsafeBytes { LineDecoder().decodeWritten($0) }
    }

    private static func diagnostic(of bytes: [UInt8]) -> Diagnostic {
        if case .notUnderstood(let diagnostic) = decode(bytes) { return diagnostic }
        return Diagnostic(.notAnObject, byte: 1, "expected a JSON object")
    }
}
