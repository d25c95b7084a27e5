import PurchaseEvents

/// Finds the lines that only one of two logs has, by content.
///
/// Repetitions count: if one log repeats a line more often, its last repetitions are the
/// difference. Memory: 24 bytes a line.
struct LineComparison {
    /// The numbers of the lines that only the first or only the second log has, in order.
    let before: [Int], after: [Int]

    private typealias Entry = (content: Fingerprint, line: Int)

    init(_ before: LogParts, _ after: LogParts) throws {
        var left = try LineComparison.entries(of: before)[...]
        var right = try LineComparison.entries(of: after)[...]
        // The common beginning and end are usually nearly everything.
        while let one = left.first, let other = right.first, one.content == other.content {
            left.removeFirst()
            right.removeFirst()
        }
        while let one = left.last, let other = right.last, one.content == other.content {
            left.removeLast()
            right.removeLast()
        }
        (self.before, self.after) = LineComparison.surplus(
            LineComparison.sorted(left), LineComparison.sorted(right))
    }

    private static func entries(of log: LogParts) throws -> [Entry] {
        let decoder = LineDecoder(names: NameTable(of: []))
        let fingerprints = ContentFingerprints(decoder: decoder)
        let lines = RawLines(log)
        var entries: [Entry] = []
        while let line = try lines.next() {
            guard let fingerprint = fingerprints.fingerprint(decoder.decode(line), line) else {
                continue
            }
            entries.append((fingerprint, lines.count))
        }
        return entries
    }

    private static func sorted(_ entries: ArraySlice<Entry>) -> [Entry] {
        entries.sorted { left, right in
            (left.content.high, left.content.low, left.line)
                < (right.content.high, right.content.low, right.line)
        }
    }

    private static func surplus(_ left: [Entry], _ right: [Entry]) -> ([Int], [Int]) {
        var (before, after): ([Int], [Int]) = ([], [])
        var (place, other) = (0, 0)
        while place < left.count || other < right.count {
            if place < left.count, other < right.count, left[place].content == right[other].content
            {
                (place, other) = (place + 1, other + 1)
            } else if other == right.count
                || place < left.count && precedes(left[place].content, right[other].content)
            {
                before.append(left[place].line)
                place += 1
            } else {
                after.append(right[other].line)
                other += 1
            }
        }
        return (before.sorted(), after.sorted())
    }

    private static func precedes(_ left: Fingerprint, _ right: Fingerprint) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
