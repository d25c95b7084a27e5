import PurchaseEvents
import PurchaseProjections
import Testing

@testable import replay

@Suite struct ExplainRunTests {
    private func explain(_ key: String, _ options: String..., of timeline: Timeline) -> Ran {
        let host = TestHost(["a": Logs.text(timeline.lines)])
        let status = Tool.run(["explain", key] + options + ["a"], on: host)
        return Ran(status: status, output: host.output, error: host.error)
    }

    @Test func `tests move no subscription of production, and are said to be tests`() {
        let timeline = Timeline(
            """
            renewal.started account=ann transaction=t0 original=t0 product=gold expiresAt=2026-02-01
            renewal.turnedOff environment=sandbox original=t0
            renewal.expired environment=sandbox original=t0 reason=cancelled
            """)
        let ran = explain("t0", of: timeline)
        #expect(ran.output.contains("at the end, subscription t0: active\n"))
        #expect(!ran.output.contains("active →"))
        #expect(ran.lines.count { $0.hasSuffix("in production]") } == 1)
        #expect(ran.lines.count { $0.hasSuffix("in sandbox]") } == 2)
        let json = explain("t0", "--format=json", of: timeline)
        #expect(json.lines.count == 3)
        #expect(json.lines.count { $0.contains(#""environment":"sandbox""#) } == 2)
        // If a log has only test statements, the test environment counts.
        let tests = Timeline(
            "log.opened schema=1 environment=sandbox\n"
                + "renewal.started transaction=t0 original=t0 product=gold expiresAt=2026-02-01\n"
                + "renewal.expired original=t0 reason=cancelled")
        #expect(
            explain("t0", of: tests).output.contains("at the end, subscription t0: ended\n"))
    }

    @Test func `what others did before is known where a line names it`() throws {
        let other = "b80e47d2-91c6-4f0b-a3de-5c1f7a2946e0"
        let delivered = replay(
            "explain", other, "events/violations/delivered-to-payer.jsonl",
            on: try .samples("violations"))
        #expect(
            delivered.output.contains("purchased, not delivered → purchased and delivered\n"))
        let owned = replay(
            "explain", other, "events/violations/line-has-one-owner.jsonl",
            on: try .samples("violations"))
        #expect(owned.output.contains("was renewed"))
        #expect(!owned.output.contains("unknown → active"))
        // A payment leads to its transaction.
        let finished = explain(
            "bob",
            of: Timeline(
                """
                queue.purchased account=ann transaction=t1 payment=p1 product=coins
                delivery.delivered account=ann transaction=t1
                queue.finished account=bob payment=p1
                """))
        #expect(finished.output.contains("transaction: purchased and delivered → finished\n"))
    }

    @Test func `what is named only as what was before or what comes next has its story`() {
        let timeline = Timeline(
            """
            renewal.started account=ann transaction=t1 original=t1 product=gold expiresAt=2026-03-01
            account.linked account=bob original=t1 from=ann
            account.linked account=cid original=t1 from=eve
            renewal.planChanged original=t1 next=silver effect=nextRenewal
            """)
        let told = [
            ("ann", "belongs to the account bob, no longer to ann"),
            ("eve", "belongs to the account cid, no longer to eve"),
            ("silver", "the plan will change to silver"),
        ]
        for (key, words) in told {
            let ran = explain(key, of: timeline)
            #expect(ran.status == .well)
            #expect(ran.output.contains(words), "\(key): \(ran.output)")
        }
    }

    @Test func `names that only look alike are told apart`() throws {
        let timeline = Timeline(
            """
            queue.purchased account=caf\u{E9} transaction=t0 product=coins
            queue.finished account=caf\u{E9} transaction=t0
            queue.purchased account=cafe\u{301} transaction=t1 product=coins
            queue.finished account=cafe\u{301} transaction=t1
            """)
        let ran = replay(
            "check", "--verbose", "--format=json", "--account=cafe\u{301}", "a",
            on: TestHost(["a": Logs.text(timeline.lines)]), rules: [NothingFinished.self])
        #expect(ran.lines.count == 2)
        #expect(ran.lines[0].contains(#""line":5,"#))
        #expect(ran.lines[1].hasSuffix(#""findings":1}"#))
        let story = explain("coins", of: timeline)
        #expect(story.lines.contains { $0.hasPrefix("accounts ") })
        #expect(story.lines.count { $0.contains(", account caf") } == 2)
        // A combining mark after `=` is part of the value.
        let check = try #require(
            try Parser.parse(["check", "--account=\u{301}x", "log"]) as? CheckCommand)
        #expect(check.input.account?.utf8.elementsEqual("\u{301}x".utf8) == true)
    }

    @Test func `lines that were not understood are told also where nothing names the key`() {
        let text = Logs.text(Logs.small + ["{"])
        let words = "1 line of a not understood"
        for key in ["t9", "t1"] {
            let ran = replay("explain", key, "a", on: TestHost(["a": text]))
            #expect(ran.status == (key == "t9" ? .noInput : .undetermined))
            #expect(ran.error.contains(words), "\(ran.error)")
        }
        let newer =
            #"{"seq":1,"at":"2026-01-01T00:00:00.000Z","type":"log.opened","schema":2}"#
        let both = replay(
            "explain", "t1", "a", "b",
            on: TestHost(["a": Logs.text(Logs.small), "b": newer + "\n"]))
        #expect(both.status == .undetermined)
        #expect(both.error.contains("1 line of b not understood"))
    }

    @Test func `that every line names another account is told`() {
        let timeline = Timeline(
            """
            queue.purchased account=ann transaction=t1 product=coins
            queue.finished account=ann transaction=t1
            queue.purchased account=bob transaction=t2 product=coins
            """)
        let ran = explain("t1", "--account=bob", of: timeline)
        #expect(ran.status == .well)
        #expect(!ran.output.contains("at the end"))
        #expect(
            ran.error
                == "replay: every line of `t1` is left out: none belongs to the account `bob`\n")
        let nobody = explain("t1", "--account=eve", of: timeline)
        #expect(nobody.error == "replay: no line names the account `eve`\n")
    }

    @Test func `a file on standard input is read again, a pipe is kept`() {
        for isFile in [true, false] {
            let host = TestHost(input: Logs.text(Logs.small))
            host.inputIsFile = isFile
            let ran = replay("explain", "t1", "-", on: host)
            #expect(ran.output.contains("the app delivered the purchase"))
            #expect(isFile ? host.inputReads > 2 : host.inputReads == 1)
        }
        let empty = TestHost(input: "")
        empty.inputIsFile = true
        #expect(replay("explain", "t1", "-", on: empty).error.hasPrefix("replay: - is empty"))
    }

    @Test func `another period that moves the subscription is told with what it moves`() {
        let timeline = Timeline(
            """
            renewal.started transaction=s1 original=s1 product=m expiresAt=2026-02-01
            renewal.renewed transaction=s2 original=s1 product=m expiresAt=2026-03-01 at=2026-02-01
            renewal.renewed transaction=s3 original=s1 product=m expiresAt=2026-04-01 at=2026-03-01
            renewal.expired original=s1 reason=cancelled at=2026-04-01
            renewal.started transaction=s4 original=s1 product=m expiresAt=2026-07-01 at=2026-06-01
            """)
        let ran = explain("s3", of: timeline)
        #expect(ran.lines.count { $0.contains("was renewed") } == 1)
        #expect(ran.output.contains("ended → active\n"))
        #expect(ran.output.contains("at the end, subscription s1: active\n"))
    }

    @Test func `a refund that a test says of a purchase of production is told as a test's`() {
        let timeline = Timeline(
            """
            queue.purchased transaction=t1 product=pro
            cancellation.refunded transaction=t1 environment=sandbox
            """)
        let ran = explain("t1", of: timeline)
        #expect(
            ran.output.contains(
                "a test environment stated a refund, which doesn't change the production "
                    + "purchase"))
        #expect(!ran.output.contains("never made"))
        #expect(
            !explain("t1", of: Timeline("renewal.turnedOn original=t1")).output.contains("again"))
    }
}
