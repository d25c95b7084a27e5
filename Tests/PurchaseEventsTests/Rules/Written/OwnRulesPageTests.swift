import Foundation
import PurchaseEvents
import PurchaseProjections
import Testing

/// The rules in docs/own-rules.md, read from the page: each holds for one log and finds something
/// in another.
@Suite struct OwnRulesPageTests {
    private static func page() throws -> String {
        String(
            decoding: try Folders.bytes(of: Folders.root.appending(path: "docs/own-rules.md")),
            as: UTF8.self)
    }

    /// The rules between the marks on the page.
    private static func rules() throws -> [CheckedRule] {
        let parts = try page().components(separatedBy: "```rules\n").dropFirst()
        return try parts.flatMap { part in
            try RuleFiles.rules(part.components(separatedBy: "```")[0])
        }
    }

    /// For each rule, a log for which it holds, and one in which it finds something at a line.
    private static let logs: [String: (holds: String, finds: String, line: LineNumber)] = [
        "delivered-within-a-day": (
            "queue.purchased transaction=t1\ndelivery.delivered transaction=t1",
            "queue.purchased transaction=t1\ndelivery.delivered transaction=t1 at=2026-01-04", 2
        ),
        "one-free-trial": (
            """
            renewal.started transaction=t1 original=t1 account=a group=g offer=introductory
            renewal.started transaction=t2 original=t2 account=b group=g offer=introductory
            """,
            """
            renewal.started transaction=t1 original=t1 account=a group=g offer=introductory
            renewal.started transaction=t2 original=t2 account=a group=g offer=introductory
            """, 3
        ),
        "no-delivery-to-the-blocked": (
            "delivery.delivered transaction=t1 account=a",
            "delivery.delivered transaction=t1 account=blocked-2", 2
        ),
        "used-before-refund": (
            """
            queue.purchased transaction=t1 account=a
            content.opened content=c account=a
            cancellation.requested transaction=t1
            """,
            "queue.purchased transaction=t1 account=a\ncancellation.requested transaction=t1", 3
        ),
        "refund-is-answered": (
            "cancellation.refunded transaction=t1\n"
                + "delivery.withdrawn transaction=t1 reason=refunded",
            "cancellation.refunded transaction=t1\napp.launched at=2026-01-09", 2
        ),
        "no-purchase-after-a-refund": (
            """
            queue.purchased transaction=t1 account=a
            cancellation.refunded transaction=t1
            payment.requested payment=p account=b
            payment.requested payment=p account=a at=2026-01-02
            """,
            """
            queue.purchased transaction=t1 account=a
            cancellation.refunded transaction=t1
            payment.requested payment=p account=a
            """, 4
        ),
        "few-failures": (
            "queue.failed payment=p error=network account=a\n"
                + String(repeating: "queue.failed payment=p error=cancelled account=a\n", count: 5),
            String(repeating: "queue.failed payment=p error=network account=a\n", count: 4), 5
        ),
        "validated-first": (
            "delivery.validated transaction=t1 outcome=valid\ndelivery.delivered transaction=t1",
            "delivery.validated transaction=t1 outcome=invalid\ndelivery.delivered transaction=t1",
            3
        ),
        "restore-ends-in-its-launch": (
            "restore.requested by=user device=d\nrestore.completed device=d\napp.launched device=d",
            "restore.requested by=user device=d\napp.launched device=d\nrestore.completed device=d",
            2
        ),
        "few-payers": (
            """
            payment.requested payment=p1 account=a payer=x
            payment.requested payment=p2 account=a payer=y
            payment.requested payment=p3 account=a payer=x
            payment.requested payment=p4 account=b payer=z
            """,
            """
            payment.requested payment=p1 account=a payer=x
            payment.requested payment=p2 account=a payer=y
            payment.requested payment=p3 account=a payer=z
            """, 4
        ),
        "no-second-request-for-a-refund": (
            "cancellation.requested transaction=t1\ncancellation.declined transaction=t1",
            """
            cancellation.requested transaction=t1
            cancellation.declined transaction=t1
            cancellation.requested transaction=t1
            """, 4
        ),
        "installed-where-apps-install": (
            "delivery.installed transaction=t0 place=caches\n"
                + "delivery.installed transaction=t1 place=caches\nqueue.finished transaction=t1",
            "queue.finished transaction=t1\ndelivery.installed transaction=t0 place=caches", 2
        ),
        "payer-of-what-is-dear": (
            "payment.requested payment=p price=50000 currency=EUR payer=x",
            "payment.requested payment=p price=50000 currency=EUR", 2
        ),
    ]

    @Test func `the page has thirteen rules, each with its logs`() throws {
        let ids = try OwnRulesPageTests.rules().map(\.info.id)
        #expect(ids.count >= 13)
        #expect(Set(ids) == Set(OwnRulesPageTests.logs.keys))
    }

    @Test(arguments: logs.keys.sorted())
    func `a rule of the page holds on one log and finds something in another`(_ id: String) throws {
        let rule = try #require(OwnRulesPageTests.rules().first { $0.info.id == id })
        let logs = try #require(OwnRulesPageTests.logs[id])
        let holds = try RuleFiles.check(Timeline(logs.holds).bytes, [rule])[0].report
        #expect(holds.verdict == .holds)
        #expect(holds.findings.isEmpty)
        let finds = try RuleFiles.check(Timeline(logs.finds).bytes, [rule])[0].report
        #expect(!finds.findings.isEmpty)
        #expect(finds.findings.map(\.line) == [logs.line])
    }

    @Test func `the page lists each rule of the catalogue, as one that text can say or can't`()
        throws
    {
        let page = try OwnRulesPageTests.page()
        let start = try #require(page.range(of: "## The catalogue in this language"))
        let section = String(page[start.upperBound...])
        let file = String(
            decoding: try Folders.bytes(of: Folders.root.appending(path: "docs/catalogue.rules")),
            as: UTF8.self)
        for rule in RuleCatalogue.all {
            let isSaid = file.contains("rule \(rule.id)-1:")
            #expect(section.contains("\n- `\(rule.id)`\n") == isSaid, "\(rule.id)")
            #expect(section.contains("`\(rule.id)`"), "\(rule.id)")
        }
    }

    @Test func `the error on the page is the error of the file`() throws {
        let text = "rule x: error\n  each queue.purchsed never happens"
        do throws(RuleFileError) {
            _ = try WrittenRule.rules(of: Array(text.utf8), file: "team.rules")
            Issue.record("no error")
        } catch {
            #expect(try OwnRulesPageTests.page().contains("\n\(error.description)\n"))
        }
    }
}
