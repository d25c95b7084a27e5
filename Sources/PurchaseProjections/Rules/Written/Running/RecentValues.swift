import PurchaseEvents

/// The values of a key among the earlier events of each slot, those of the latest events first.
struct RecentValues: Sendable, Snapshotted {
    /// A value of a slot, linked to the values whose latest events are next to its own.
    private struct Entry: Sendable {
        var value: Int64 = 0
        /// The numbers of the neighbours; 0 at the ends.
        var newer: UInt32 = 0, older: UInt32 = 0
        var isListed = false
    }

    private let span: RuleSpan?
    /// The number of each value, by slot and value.
    private var numbers = HandleMap<UInt32>(0)
    private var entries = DenseTable(Entry())
    /// The number of the value of the latest event, and how many values are listed, by slot.
    private var newest = DenseTable<UInt32>(0), counts = DenseTable<UInt32>(0)
    /// The events by the number of their value.
    private var marks: EarlierMarks

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&numbers).visit(&entries).visit(&newest).visit(&counts).visit(&marks)
    }

    init(_ span: RuleSpan?, isLenient: Bool) {
        self.span = span
        marks = EarlierMarks(span, isLenient: isLenient)
    }

    /// The number of values in a slot, except for values whose launches have run out.
    func count(in slot: Int) -> Int { Int(counts[slot]) }

    /// The number of a value, which is a handle or a word; 0 if the slot never had the value.
    @inline(__always)
    func number(of value: Int64, in slot: Int) -> Int {
        let first = Int(newest[slot])
        // Usually all events have one value.
        if first != 0, entries[first].value == value { return first }
        return Int(numbers[RecentValues.key(value, slot)] ?? 0)
    }

    /// Whether an event with a numbered value has a span that isn't over.
    mutating func isWithinSpan(_ number: Int, _ event: LogEvent, _ facts: Facts) -> Bool {
        number != 0 && marks.withinSpan(number, event, facts).line != 0
    }

    /// Stores the latest event of a slot with its value, whose number is known, or 0.
    mutating func store(
        _ mark: RuleMark, _ value: Int64, numbered known: Int, in slot: Int, _ facts: Facts
    ) {
        let number = known == 0 ? max(1, entries.count) : known
        marks.store(mark, in: number, facts)
        guard Int(newest[slot]) != number else { return }
        let short = UInt32(truncatingIfNeeded: number)
        if known == 0 {
            numbers[RecentValues.key(value, slot)] = short
            entries[number].value = value
        }
        unlist(number, slot)
        let next = newest[slot]
        entries[number].older = next
        entries[number].isListed = true
        if next != 0 { entries[Int(next)].newer = short }
        newest[slot] = short
        counts[slot] &+= 1
    }

    private mutating func unlist(_ number: Int, _ slot: Int) {
        let entry = entries[number]
        guard entry.isListed else { return }
        if entry.newer != 0 {
            entries[Int(entry.newer)].older = entry.older
        } else {
            newest[slot] = entry.older
        }
        if entry.older != 0 { entries[Int(entry.older)].newer = entry.newer }
        (entries[number].newer, entries[number].older) = (0, 0)
        entries[number].isListed = false
        counts[slot] &-= 1
    }

    /// Visits, for each value but one, the latest event within the span, the latest values first,
    /// until a visit returns `false` or a number of values was looked at.
    ///
    /// - Returns: Whether there are values that weren't looked at.
    mutating func visitOthers(
        than value: Int64, in slot: Int, upTo most: Int, _ event: LogEvent, _ facts: Facts,
        _ visit: (_ mark: RuleMark, _ latest: RuleMark) -> Bool
    ) -> Bool {
        var next = Int(newest[slot]), looked = 0
        while next != 0 {
            let number = next
            next = Int(entries[number].older)
            guard entries[number].value != value else { continue }
            guard looked < most else { return true }
            let latest = marks.latest(in: number)
            let mark = marks.withinSpan(number, event, facts)
            guard visit(mark, latest) else { return false }
            if mark.line == 0, span?.isOfLaunches == true {
                // A launch isn't undone, so nobody needs to look at the value again.
                unlist(number, slot)
            } else {
                looked += 1
            }
        }
        return false
    }

    private static func key(_ value: Int64, _ slot: Int) -> HandleKey {
        HandleKey(UInt32(truncatingIfNeeded: slot), UInt32(truncatingIfNeeded: value))
    }
}
