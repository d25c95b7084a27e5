import Foundation
import Testing

@testable import replay

@Suite struct WhyCommandTests {
    private static let account = "6f1c2b1e-3d47-4a90-8c55-2b7e90d1f3a8"
    private static let product = "com.example.reader.pro"
    private static let refund = "events/valid/refund.jsonl"
    private static let undelivered = "events/violations/finished-implies-delivered.jsonl"

    @Test func `a refunded entitlement rests on its purchase and the refund, which prevents it`()
        throws
    {
        let host = try TestHost.samples("valid")
        let ran = replay(
            "why", "entitlement", Self.account, Self.product, Self.refund, "--format=json",
            on: host)
        #expect(ran.status == .well)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(ran.output.utf8)) as? [String: Any])
        let because = try #require(object["because"] as? [[String: Any]])
        func lines(_ role: String) -> [Int] {
            because.filter { $0["role"] as? String == role }.compactMap { $0["line"] as? Int }
        }
        #expect(lines("rests") == [5, 8, 14])
        #expect(lines("prevents") == [14])
        let shown = replay(
            "show", "entitlements", Self.refund, "--format=json",
            on: try TestHost.samples("valid"))
        #expect(ran.output.contains("{\"answer\":\(try #require(shown.lines.first)),"))
        #expect(ran.lines.count == 1)
    }

    @Test func `people read the row, the lines in words, and what each line gives`() throws {
        let ran = replay(
            "why", "entitlement", Self.account, Self.product, Self.refund,
            on: try TestHost.samples("valid"))
        #expect(ran.output.contains("The answer rests on:\n   5  2026-03-02 09:00:05  the store"))
        #expect(ran.output.contains("without this line: active true, until absent, ended absent"))
        #expect(ran.output.contains("Overridden:\n  10  "))
    }

    @Test func `a finding rests on the lines of its proof`() throws {
        let ran = replay(
            "why", "finding", "4", "finished-implies-delivered", Self.undelivered,
            on: try TestHost.samples("violations"))
        #expect(ran.status == .well)
        #expect(ran.output.contains("error: [finished-implies-delivered]"))
        #expect(ran.output.contains("without this line: no finding"))
    }

    @Test func `nothing is pending because of the finish`() throws {
        let ran = replay(
            "why", "pending", "4700019964686124", Self.undelivered,
            on: try TestHost.samples("violations"))
        #expect(ran.output.hasPrefix("(none)\n"))
        #expect(ran.output.contains("without this line: a row"))
    }

    @Test func `earlier knowledge and earlier instants are asked`() throws {
        let early = replay(
            "why", "entitlement", Self.account, Self.product, Self.refund, "--until-seq=9",
            on: try TestHost.samples("valid"))
        #expect(early.output.contains("\ttrue\t"))
        let then = replay(
            "why", "entitlement", Self.account, Self.product, Self.refund, "--as-of=2026-03-03",
            on: try TestHost.samples("valid"))
        #expect(then.output.contains("\ttrue\t"))
        #expect(!then.output.contains("refunded"))
    }

    @Test(arguments: [
        (["why"], "needs a question"),
        (["why", "entitelment", "A", "P", "L"], "did you mean `entitlement`?"),
        (["why", "entitlement", "A", "L"], "needs ACCOUNT PRODUCT LOG, seen `A L`"),
        (["why", "pending"], "needs KEY LOG, seen nothing"),
        (["why", "finding", "x", "lifecycle", "L"], "expected the number of a line, seen `x`"),
        (["why", "finding", "1", "lifecycl", "L", "--format=xml"], "unknown value"),
        (["why", "finding", "1", "finshed-once", "L"], "did you mean `finished-once`?"),
        (["why", "pending", "K", "L", "--as-of=never"], "expected a time"),
    ])
    func `wrong arguments are refused`(arguments: [String], words: String) {
        let host = TestHost()
        let status = Tool.run(arguments, on: host)
        #expect(status == .usage)
        #expect(host.error.contains(words), "\(host.error)")
        #expect(host.output.isEmpty)
    }

    @Test func `names that no line has, and findings that there aren't, are told`() throws {
        let host = try TestHost.samples("violations")
        let cases = [
            (["pending", "nobody"], "names the transaction or payment `nobody`"),
            (["subscription", "nobody"], "names the original `nobody`"),
            (["entitlement", "nobody", "p"], "names the account `nobody`"),
            (["restore", Self.account, "nothing"], "names the product `nothing`"),
            (
                ["finding", "3", "finished-implies-delivered"],
                "finds nothing at line 3 of \(Self.undelivered): its nearest findings are at line 4"
            ),
            (["finding", "3", "lifecycle"], "the rule finds nothing in the log"),
        ]
        for (question, words) in cases {
            let own = TestHost()
            own.files = host.files
            #expect(Tool.run(["why"] + question + [Self.undelivered], on: own) == .noInput)
            #expect(own.error.contains(words), "\(own.error)")
            #expect(own.output.isEmpty)
        }
        #expect(replay("why", "pending", "K", "nowhere.jsonl").status == .noInput)
    }

    @Test func `a line that was not understood leaves the answer undetermined`() throws {
        let log = """
            {"seq":1,"at":"2026-03-01T09:00:00.000Z","type":"log.opened","schema":1}
            {"seq":2,"at":"2026-03-01T09:00:01.000Z","type":"queue.finished","transaction":"t"}
            {"seq":3,"at":"2026-03-01T09:00:02.000Z","type":"queue.vanished","transaction":"t"}

            """
        let ran = replay("why", "pending", "t", "-", on: TestHost(input: log))
        #expect(ran.status == .undetermined)
        #expect(ran.output.contains("What is missing for a yes:"))
        #expect(ran.error.contains("1 line of - not understood"))
    }

    @Test(arguments: [
        ([], "never bought"), (["bought"], "not delivered"),
        (["bought", "delivered", "withdrawn", "withdrawn"], "withdrawn"),
        (["bought", "delivered", "consumed", "consumed"], "used up"),
        (["bought", "delivered"], nil),
    ])
    func `an account that has nothing of a consumable reads what is missing`(
        happened: [String], missing: String?
    ) {
        let facts = [
            "bought": #""queue.purchased","transaction":"t","product":"coins","#
                + #""purchasedAt":"2026-03-01T09:00:00.000Z""#,
            "delivered": #""delivery.delivered","transaction":"t""#,
            "withdrawn": #""delivery.withdrawn","transaction":"t","reason":"other""#,
            "consumed": #""delivery.consumed","product":"coins""#,
        ]
        let opened = [
            #""log.opened","schema":1"#, #""catalog.listed","product":"coins","kind":"consumable""#,
        ]
        let log = (opened + happened.compactMap { facts[$0] }).enumerated().map { index, fact in
            #"{"seq":\#(index + 1),"at":"2026-03-01T09:00:00.000Z","account":"a","type":\#(fact)}"#
        }
        let ran = replay(
            "why", "balance", "a", "coins", "-",
            on: TestHost(input: log.map { $0 + "\n" }.joined()))
        #expect(ran.status == .well)
        let words = "What is missing for a yes:\n      \(missing ?? "")"
        #expect(ran.output.contains(words) == (missing != nil), "\(ran.output)")
        #expect(ran.output.hasPrefix("(none)") == happened.isEmpty)
    }
}
