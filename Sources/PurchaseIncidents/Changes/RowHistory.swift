import PurchaseEvents
import PurchaseProjections

/// Follows the rows of one group of lines from line to line.
struct RowHistory {
    private let group: ChangeGroups.Group
    private let groups: ChangeGroups
    private let projection: any Projection.Type
    private let given: Timestamp?
    private var show: Show
    /// The number of the group's lines read so far, and the line number of the latest one in the
    /// log.
    private var count = 0
    private var latest = 0
    /// Dates in the lines read so far at which rows may change, in no order; some may have passed.
    private var dates: [Timestamp] = []
    /// All rows as JSON lines, and the group's own rows by identity, in the projection's order.
    private var json: [UInt8] = []
    private var rows: [(identity: RowIdentity, row: ShownRow)] = []
    private var changes: [RowEvent] = []

    init(
        _ group: ChangeGroups.Group, _ projection: any Projection.Type, _ names: NameTable,
        _ groups: ChangeGroups, asOf given: Timestamp?
    ) {
        (self.group, self.groups, self.projection, self.given) = (group, groups, projection, given)
        show = Show([projection], names: names, asOf: given)
    }

    mutating func observe(_ line: ReadLine) {
        let number = group.lines[count] + 1
        count += 1
        passTime(to: number - 1)
        if let event = line.event {
            show.observe(line)
            if given == nil { event.appendDates(to: &dates) }
        }
        compare(at: number)
        latest = number
    }

    /// Handles the end of the log, after the group's last line, and returns all changes.
    mutating func end() -> [RowEvent] {
        passTime(to: groups.lineCount)
        return changes
    }

    // MARK: Time

    /// Compares the rows at each line, up to `last`, at which the time of the log reaches a date.
    private mutating func passTime(to last: Int) {
        guard given == nil, last > latest, latest > 0, !dates.isEmpty else { return }
        let (before, end) = (groups.time(at: latest), groups.time(at: last))
        let passed = dates.filter { $0 > before && $0 <= end }
        dates.removeAll { $0 <= end }
        let lines = Set(passed.map { groups.firstLine(at: $0) })
        for line in lines.sorted() where line > latest { compare(at: line) }
    }

    // MARK: Rows

    private mutating func compare(at number: Int) {
        let instant = given ?? groups.time(at: number)
        var lines = RowLines()
        show.appendRows(of: projection, asOf: instant, to: &lines)
        let written = lines.written
        guard !written.elementsEqual(json) else { return }
        json = Array(written)
        let all = ShownRow.all(show, of: projection.name, asOf: instant)
        let new = all.filter { groups.owns($0, group) }.map { (identity: RowIdentity($0), row: $0) }
        let old = Dictionary(rows.map { ($0.identity, $0.row) }) { first, _ in first }
        var seen: Set<RowIdentity> = []
        for (identity, row) in new {
            seen.insert(identity)
            if old[identity] != row {
                changes.append(RowEvent(line: number, before: old[identity], after: row))
            }
        }
        for (identity, row) in rows where !seen.contains(identity) {
            changes.append(RowEvent(line: number, before: row, after: nil))
        }
        rows = new
    }
}

extension Event where S == Interned {
    /// Appends the times at which rows that depend on the event may change.
    fileprivate func appendDates(to dates: inout [Timestamp]) {
        func add(_ date: Timestamp?) {
            guard let date else { return }
            dates.append(date)
            // A date that excludes its own instant takes effect at the next one.
            dates.append(date.advanced(byMilliseconds: 1))
        }
        add(at)
        add(signedAt)
        for key in [
            Key.purchasedAt, .originalPurchasedAt, .expiresAt, .cancelledAt, .graceExpiresAt,
            .publishedAt, .until,
        ] {
            add(fact.value(of: key).map { Timestamp(milliseconds: $0) })
        }
    }
}
