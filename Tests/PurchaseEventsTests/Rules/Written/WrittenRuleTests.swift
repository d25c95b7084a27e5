import PurchaseEvents
import PurchaseProjections
import Testing

/// The findings of rules in a file: each template with its limits, and the cases that the log
/// leaves open.
@Suite struct WrittenRuleTests {
    /// The lines with findings, the verdict, and the number of tests.
    struct Result: Equatable {
        var lines: [LineNumber]
        var verdict: Verdict
        var tested: Int
    }

    func result(_ body: String, _ history: String) throws -> Result {
        let report = try report(body, history)
        return Result(
            lines: report.findings.map(\.line), verdict: report.verdict, tested: report.tested)
    }

    func report(_ body: String, _ history: String) throws -> Report {
        try RuleFiles.check(Timeline(history).bytes, [RuleFiles.rule(body)])[0].report
    }

    // MARK: Followed by

    @Test func `what is followed in time holds, what is followed too late is found`() throws {
        let body = """
            each queue.purchased is followed by delivery.delivered of the same transaction
            within 2 hours
            """
        let history = """
            queue.purchased transaction=t1
            queue.purchased transaction=t2
            delivery.delivered transaction=t1
            delivery.delivered transaction=t2
            queue.purchased transaction=t3
            app.launched at=2026-01-09
            delivery.delivered transaction=t3
            """
        #expect(try result(body, history) == Result(lines: [6], verdict: .violated, tested: 3))
        let finding = try #require(try report(body, history).findings.first)
        #expect(finding.key == "t3")
        #expect(finding.notes.map(\.line) == [8])
        #expect(finding.hint == "the rule is written at own.rules:1")
        #expect(
            finding.message
                == "queue.purchased of transaction t3 at 2026-01-01T05:00:00.000Z is not followed "
                + "by delivery.delivered within 2 hours: expected delivery.delivered of the same "
                + "transaction within 2 hours")
    }

    @Test func `at the end of the log what has time left is undetermined`() throws {
        let body = "each queue.purchased is followed by delivery.delivered"
        let history = "queue.purchased transaction=t1\napp.launched"
        #expect(
            try result(body, history) == Result(lines: [2], verdict: .violated, tested: 1))
        #expect(
            try result(body + " within 1 day", history)
                == Result(lines: [], verdict: .undetermined, tested: 1))
        #expect(
            try result(body + " within 30 minutes", history)
                == Result(lines: [2], verdict: .violated, tested: 1))
        #expect(
            try result(body + " within 2 launches", history)
                == Result(lines: [], verdict: .undetermined, tested: 1))
        #expect(
            try result(body + " within 1 launch", history)
                == Result(lines: [2], verdict: .violated, tested: 1))
        #expect(
            try result(body + " before queue.finished", history)
                == Result(lines: [], verdict: .undetermined, tested: 1))
        #expect(
            try result(body + " before app.launched", history)
                == Result(lines: [2], verdict: .violated, tested: 1))
        #expect(
            try result(body + " unless app.launched comes between", history)
                == Result(lines: [], verdict: .holds, tested: 1))
        #expect(try result(body, "app.launched").verdict == .vacuous)
    }

    @Test func `launches are those of the device of the event that waits`() throws {
        let body =
            "each catalog.requested is followed by catalog.listed of the same product\n"
            + "within 1 launch"
        let history = """
            catalog.requested product=a device=d1
            catalog.requested product=b device=d2
            app.launched device=d1
            catalog.listed product=a kind=consumable device=d1
            catalog.listed product=b kind=consumable device=d2
            """
        #expect(try result(body, history) == Result(lines: [2], verdict: .violated, tested: 2))
    }

    @Test func `before and unless have keys of their own`() throws {
        let body = """
            each payment.requested is followed by queue.purchased of the same payment
            before payment.requested of the same account
            unless queue.failed of the same payment comes between
            """
        let history = """
            payment.requested payment=p1 account=a
            payment.requested payment=p2 account=b
            payment.requested payment=p3 account=a
            queue.failed payment=p2 error=network
            payment.requested payment=p4 account=b
            queue.purchased transaction=t3 payment=p3 account=a
            queue.purchased transaction=t4 payment=p4 account=b
            """
        #expect(try result(body, history) == Result(lines: [2], verdict: .violated, tested: 4))
    }

    @Test func `transaction joins what only the payment names`() throws {
        let body =
            "each payment.requested\n"
            + "is followed by delivery.delivered of the same transaction"
        let history = """
            payment.requested payment=p1
            payment.requested payment=p2
            queue.purchased transaction=t1 payment=p1
            delivery.delivered transaction=t1
            queue.purchased transaction=t2 payment=p2
            """
        #expect(try result(body, history) == Result(lines: [3], verdict: .violated, tested: 2))
        let finished = "each queue.finished is preceded by queue.purchased of the same transaction"
        let finishes = """
            queue.purchased transaction=t1 payment=p1
            queue.finished payment=p1
            queue.finished transaction=t2
            """
        #expect(
            try result(finished, finishes) == Result(lines: [4], verdict: .violated, tested: 2))
    }

    // MARK: Preceded by

    @Test func `what precedes counts within its limits`() throws {
        let history = """
            delivery.validated transaction=t1 outcome=valid
            app.launched
            delivery.delivered transaction=t1
            """
        let body =
            "each delivery.delivered is preceded by delivery.validated\nof the same transaction"
        #expect(try result(body, history).verdict == .holds)
        #expect(try result(body + " within 2 hours", history).verdict == .holds)
        #expect(try result(body + " within 1 hour", history).lines == [4])
        #expect(try result(body + " within 1 launch", history).lines == [4])
        #expect(try result(body + " before app.launched", history).lines == [4])
        #expect(try result(body + " before queue.finished", history).verdict == .holds)
        let invalid =
            "each delivery.delivered is preceded by delivery.validated\n"
            + "where outcome = invalid of the same transaction"
        #expect(try result(invalid, history).lines == [4])
        #expect(
            try result(invalid + " unless app.launched comes between", history).verdict == .holds)
    }

    @Test func `what must not precede is lifted by what comes between`() throws {
        let history = """
            payment.restricted device=d
            payment.requested payment=p1 device=d
            payment.requested payment=p2 device=e
            payment.allowed device=d
            payment.requested payment=p3 device=d
            """
        let body = "each payment.requested is not preceded by payment.restricted of the same device"
        #expect(try result(body, history).lines == [3, 6])
        #expect(
            try result(body + "\nunless payment.allowed of the same device comes between", history)
                .lines == [3])
        let contrary =
            "each payment.restricted is not followed by payment.requested\n"
            + "of the same device unless payment.allowed of the same device comes between"
        #expect(try result(contrary, history) == Result(lines: [3], verdict: .violated, tested: 1))
    }

    @Test func `a log that starts in the middle can't tell what came before`() throws {
        let body =
            "each delivery.delivered is preceded by delivery.validated of the same transaction"
        let history = "unopened\ndelivery.delivered transaction=t1"
        #expect(
            try result(body, history) == Result(lines: [], verdict: .undetermined, tested: 1))
        let late =
            "unopened\napp.launched at=2026-01-01\n"
            + "delivery.delivered transaction=t1 at=2026-01-05"
        #expect(try result(body + " within 1 day", late).lines == [2])
        let contrary = "each delivery.delivered is not preceded by app.launched"
        #expect(try result(contrary, late).lines == [2])
    }

    @Test func `a line that was not understood may have said what is missing`() throws {
        let response = "each queue.purchased is followed by delivery.delivered"
        let history = "queue.purchased transaction=t1\n{\"seq\":3}\napp.launched at=2026-01-09"
        #expect(try result(response, history).verdict == .undetermined)
        // The time had run out before the line.
        let late = "queue.purchased transaction=t1\napp.launched at=2026-01-09\n{\"seq\":4}"
        #expect(try result(response + " within 1 day", late).lines == [2])
        #expect(try result("each app.launched never happens", history).lines == [4])
    }

    // MARK: Never, and at most

    @Test func `what never happens is found each time, and every event of the type is a test`()
        throws
    {
        let history = """
            restore.requested by=user
            restore.requested by=app account=a
            """
        #expect(
            try result("each restore.requested where by = app never happens", history)
                == Result(lines: [3], verdict: .violated, tested: 2))
        #expect(
            try result("each restore.requested where by = app never happens", "app.launched")
                .verdict == .vacuous)
    }

    @Test func `at most N counts by keys, and within a time`() throws {
        let history = """
            queue.failed payment=p1 error=network account=a
            queue.failed payment=p2 error=network account=a
            queue.failed payment=p3 error=network account=b
            queue.failed payment=p4 error=network account=a
            queue.failed payment=p5 error=network account=a at=2026-01-01T12:00:00Z
            """
        let body = "at most 2 queue.failed of the same account"
        #expect(try result(body, history) == Result(lines: [5, 6], verdict: .violated, tested: 5))
        #expect(try result(body + " within 4 hours", history).lines == [5])
        #expect(try result(body + " within 1 hour", history).verdict == .holds)
        let found = try #require(try report(body, history).findings.last)
        #expect(found.notes.map(\.line) == [3, 5])
        #expect(try result("at most 4 queue.failed", history).lines == [6])
    }

    // MARK: Conditions

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

    @Test func `texts are compared without their escapes`() throws {
        let history = """
            queue.failed payment=p1 error=network
            queue.failed payment=p2 error=net\\u0077ork
            queue.failed payment=p3 error=a-word-of-its-own
            """
        #expect(
            try result("each queue.failed where error = network never happens", history).lines
                == [2, 3])
        let body = "each queue.failed where error in (\"a-word-of-its-own\") never happens"
        #expect(try result(body, history).lines == [4])
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
            let all = try result(body, history).lines
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
