import PurchaseEvents

/// Lines of a log, counted by type.
struct CountedLines: Sendable, Snapshotted {
    /// The names that are counted; a table of names need not store others.
    static let roles: [NameRole] = [.account, .transaction]

    private(set) var types = [Int](repeating: 0, count: EventType.allCases.count)
    private(set) var from: Timestamp?, until: Timestamp?
    private(set) var namesWithoutEvents = NamesWithoutEvents()

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&types).visit(&from).visit(&until).visit(&namesWithoutEvents)
    }

    /// Counts lines, right after they were decoded, with the table of their names.
    mutating func observe(_ lines: ReadLines, _ names: NameTable) {
        namesWithoutEvents.observe(lines, names)
        var from = from ?? Timestamp(milliseconds: .max)
        var until = until ?? Timestamp(milliseconds: .min)
        for line in lines {
            guard let event = line.eventPlace else { continue }
            types[Int(event.pointee.type.rawValue)] &+= 1
            let at = event.pointee.at
            if at < from { from = at }
            if at > until { until = at }
        }
        guard from <= until else { return }
        (self.from, self.until) = (from, until)
    }
}
