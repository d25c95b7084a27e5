import PurchaseEvents
import PurchaseProjections
import Testing

/// Rules of a file: their conditions and words, and how many findings are kept. What the templates
/// find is told in `own-rule.stories`.
struct WrittenRuleTests {
    @Test(
        arguments: [
            ("price > 900", [3]), ("price >= 900", [2, 3]), ("price < 1000", [2]),
            ("price <= 1000", [2, 3]), ("price = 900", [2]), ("price != 900", [3, 4]),
            ("price is absent", [4]), ("price in (900, 1000)", [2, 3]),
            ("currency = EUR", [2]), ("product = \"a \\\"b\\\"\"", [3]), ("product != coins", [3]),
            ("offer = code", [4]), ("offer != code", [2, 3]), ("offer is absent", [2, 3]),
            ("quantity = 1", [2, 4]), ("environment = sandbox", [4]),
            ("purchasedAt < 2026-01-02", [2, 3]), ("at >= 2026-01-02", [4]),
            ("account = a1 and price > 0", [2]), ("kind = consumable", [2, 4]),
            ("original = t1", [2]), ("seq > 2 and seq < 4", [3]), ("device is absent", [2, 3, 4]),
        ])
    func `a condition reads what the line says, the defaults and the facts`(
        _ condition: String, _ lines: [LineNumber]
    ) throws {
        let log = """
            {"seq":1,"at":"2026-01-01T00:00:00.000Z","type":"catalog.listed","product":"coins",\
            "kind":"consumable"}
            {"seq":2,"at":"2026-01-01T00:00:00.000Z","type":"queue.purchased","account":"a1",\
            "transaction":"t1","product":"coins","purchasedAt":"2026-01-01T00:00:00.000Z",\
            "price":900,"currency":"EUR"}
            {"seq":3,"at":"2026-01-01T00:00:00.000Z","type":"queue.purchased",\
            "transaction":"t2","product":"a \\"b\\"","quantity":2,\
            "purchasedAt":"2026-01-01T00:00:00.000Z","price":1000}
            {"seq":4,"at":"2026-01-03T00:00:00.000Z","type":"queue.purchased","environment":\
            "sandbox","transaction":"t3","product":"coins",\
            "purchasedAt":"2026-01-03T00:00:00.000Z","offer":"code"}

            """
        let rule = try RuleFiles.rule("each queue.purchased where \(condition) never happens")
        let report = try RuleFiles.check(Array(log.utf8), [rule])[0].report
        #expect(report.findings.map(\.line) == lines)
    }

    @Test func `the words are upper and lower case alike`() throws {
        let text = "RULE a-rule: Warning\n EACH restore.requested Where by = app NEVER Happens"
        let rule = try RuleFiles.rules(text)[0]
        #expect(rule.info.level == .warning)
        #expect(
            rule.info.statement == "Each restore.requested where by = app never happens.")
        #expect(rule.info.evidence == ["own.rules:1"])
    }

    @Test(arguments: [1, 2, 7, 0])
    func `findings beyond the limit are counted, and the first by line are kept`(
        _ limit: Int
    ) throws {
        let history = (1...9).map { "queue.purchased transaction=t\($0)" }.joined(separator: "\n")
        for body in [
            "each queue.purchased never happens", "at most 1 queue.purchased of the same product",
            "each queue.purchased is preceded by app.launched",
            "each queue.purchased is followed by queue.finished of the same transaction",
        ] {
            let reader = LogReader()
            var check = try Check(
                of: [RuleFiles.rule(body)], names: reader.decoder.names, limit: limit)
            try reader.read(MemorySource(Timeline(history).bytes)) { line in
                check.observe(line)
                return true
            }
            let report = check.finish()[0].report
            let all = try RuleFiles.check(Timeline(history).bytes, [RuleFiles.rule(body)])[0]
                .report.findings.map(\.line)
            #expect(report.counts[.error] == all.count)
            #expect(report.findings.map(\.line) == Array(limit == 0 ? all[...] : all.prefix(limit)))
        }
    }

    @Test func `rules of a file run as copies of a check do`() throws {
        let rules = try [
            RuleFiles.rule("each queue.purchased is followed by delivery.delivered"),
            RuleFiles.rule("at most 1 queue.purchased"),
        ]
        let reader = LogReader()
        var check = Check(of: rules, names: reader.decoder.names)
        var copies: [Check] = []
        let log = Timeline(
            "queue.purchased transaction=t1\nqueue.purchased transaction=t2\n"
                + "delivery.delivered transaction=t1")
        try reader.read(MemorySource(log.bytes)) { line in
            check.observe(line)
            copies.append(check)
            return true
        }
        let counts = copies.indices.map { index in
            var copy = copies[index]
            return copy.finish().map { $0.report.findings.count }
        }
        #expect(counts == [[0, 0], [1, 0], [2, 1], [0, 1]])
    }
}
