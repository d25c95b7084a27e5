import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections
import TestSupport
import Testing

struct RowChangesPropertyTests {
    @Test func `changes of the samples are those of a fold line by line`() throws {
        let samples = try TriedLog.samples()
        for (index, log) in samples.enumerated() {
            if Effort.of(whole: true, part: index.isMultiple(of: 12)) { try tryAll(log) }
        }
    }

    @Test func `changes of generated logs are those of a fold line by line`() throws {
        for seed in 1...UInt64(Effort.of(whole: 1_000, part: 3)) {
            try tryAll(TriedLog.generated(seed, events: 20 + Int(seed % 5) * 40))
        }
    }

    /// Each log has lines that rows of another family depend on: `TYPE key:value …`, a line a day.
    @Test(arguments: [
        // A request has no account, before a purchase of a known account names its payment.
        """
        queue.purchased account:a transaction:1 product:p purchasedAt:1
        payment.requested payment:y product:p
        queue.purchased transaction:1 payment:y product:p purchasedAt:1
        """,
        // The statement of a consumable names another product later.
        """
        receipt.listed transaction:1 product:p kind:consumable purchasedAt:1
        receipt.listed transaction:1 product:q purchasedAt:1
        """,
        // A launch shows that what delivers is no server.
        """
        app.launched device:d
        delivery.delivered device:d transaction:1
        receipt.listed transaction:2 original:1 product:p kind:nonRenewing purchasedAt:4
        """,
        // The catalogue says what a purchase says too, until another says otherwise.
        """
        queue.purchased transaction:1 product:p purchasedAt:1 expiresAt:6
        catalog.listed product:p kind:autoRenewable
        receipt.listed transaction:1 product:p kind:consumable purchasedAt:1
        """,
    ])
    func `changes of small logs are those of a fold line by line`(text: String) throws {
        var lines = LogLines()
        lines.append(#"{"seq":1,"at":"2026-02-01T09:00:00Z","type":"log.opened","schema":1}"#.utf8)
        for (index, line) in text.split(separator: "\n").enumerated() {
            let words = line.split(separator: " ")
            let members = words.dropFirst().map { word in
                let parts = word.split(separator: ":")
                let isDate = parts[0].hasSuffix("At")
                return "\"\(parts[0])\":\"\(isDate ? "2026-02-0\(parts[1])T08:00:00Z" : parts[1])\""
            }
            let head = "\"seq\":\(index + 2),\"at\":\"2026-02-0\(index + 2)T09:00:00Z\""
            let all = [head, "\"type\":\"\(words[0])\""] + members
            lines.append("{\(all.joined(separator: ","))}".utf8)
        }
        try tryAll(TriedLog(name: text, lines: lines))
    }

    @Test func `no two rows have the same identity, of keys that rows have`() throws {
        var seen: [String: Set<String>] = [:]
        let seeds = 1...UInt64(Effort.of(whole: 200, part: 2))
        let logs = try TriedLog.samples() + seeds.map { try TriedLog.generated($0, events: 300) }
        for log in logs {
            let show = try log.lines.show()
            for projection in ProjectionCatalogue.all {
                let rows = ShownRow.all(show, of: projection.name)
                let identities = Set(rows.map { RowIdentity($0) })
                #expect(identities.count == rows.count, "\(log.name) \(projection.name)")
                seen[projection.name, default: []].formUnion(rows.flatMap(\.fields).map(\.key))
            }
        }
        for (projection, keys) in RowIdentity.keys {
            #expect(!keys.isEmpty)
            for key in keys {
                #expect(seen[projection]?.contains(key) ?? false, "\(projection): \(key)")
            }
        }
    }

    private func tryAll(_ log: TriedLog) throws {
        let half = log.lines.count / 2
        let instants = [nil, try LineByLine.time(of: half, in: log.lines)]
        for projection in ProjectionCatalogue.all {
            for instant in instants where instant == nil || log.lines.count.isMultiple(of: 3) {
                let seen = try RowChanges(projection, in: log.lines, asOf: instant).all()
                let expected = try LineByLine.changes(projection, log.lines, asOf: instant)
                let words = "\(log.name): \(projection.name) as of \(instant?.text ?? "the end")"
                #expect(seen.count == expected.count, "\(words)")
                for (seen, expected) in zip(seen, expected) where seen != expected {
                    Issue.record("\(words): \(seen), expected \(expected)")
                    break
                }
                try expectReplay(seen, projection, log, instant, words)
                guard projection == Accounts.self else { continue }
                // Every group is read in parts.
                let summed = try RowChanges(projection, in: log.lines, asOf: instant, splitting: 1)
                #expect(try summed.all() == expected, "\(words), in parts")
            }
        }
    }

    /// Expects the changes, applied in order to an empty list of rows, to give the final rows.
    private func expectReplay(
        _ changes: [RowEvent], _ projection: any Projection.Type, _ log: TriedLog,
        _ instant: Timestamp?, _ words: String
    ) throws {
        var rows: [RowIdentity: ShownRow] = [:]
        for change in changes {
            guard let identity = change.identity else { continue }
            #expect(rows[identity] == change.before, "\(words): line \(change.line)")
            rows[identity] = change.after
        }
        let show = try log.lines.show([projection], asOf: instant)
        let last = ShownRow.all(show, of: projection.name)
        #expect(Set(rows.values) == Set(last), "\(words): the last rows")
        #expect(rows.count == last.count, "\(words)")
    }
}

/// The slow reference: the rows of the whole log after each line.
private enum LineByLine {
    static func changes(
        _ projection: any Projection.Type, _ lines: LogLines, asOf instant: Timestamp?
    ) throws -> [RowEvent] {
        var changes: [RowEvent] = []
        var rows: [RowIdentity: ShownRow] = [:]
        let decoder = LineDecoder()
        var show = Show([projection], names: decoder.names, asOf: instant)
        try lines.read(decoder) { lines in
            for line in lines {
                show.observe(line)
                var new: [RowIdentity: ShownRow] = [:]
                for row in ShownRow.all(show, of: projection.name) { new[RowIdentity(row)] = row }
                let found = Set(rows.keys).union(new.keys)
                    .filter { rows[$0] != new[$0] }
                    .map { RowEvent(line: line.number, before: rows[$0], after: new[$0]) }
                changes += found.sorted { order($0) < order($1) }
                rows = new
            }
        }
        return changes
    }

    private static func order(_ change: RowEvent) -> String {
        change.identity.map { RowJSON.text(of: $0.fields) } ?? ""
    }

    /// The `at` of a line, counted from 0; `nil` if the line isn't an event.
    static func time(of index: Int, in lines: LogLines) throws -> Timestamp? {
        LineDecoder().event(on: lines[index])?.at
    }
}
