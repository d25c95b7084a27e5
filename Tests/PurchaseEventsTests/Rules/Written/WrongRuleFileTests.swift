import PurchaseEvents
import PurchaseProjections
import Testing

/// Each possible error of a rule file, with its position, what was seen and what was expected.
@Suite struct WrongRuleFileTests {
    /// A wrong file and its error.
    private struct Wrong: Sendable {
        var text: String
        var place: String, seen: String, expected: String
        var nearest: String?

        init(
            _ text: String, _ place: String, seen: String, expected: String, nearest: String? = nil
        ) {
            (self.text, self.place) = (text, place)
            (self.seen, self.expected, self.nearest) = (seen, expected, nearest)
        }
    }

    private static let headings: [Wrong] = [
        Wrong(
            "", "1:1",
            seen: "a file without a rule",
            expected: "`rule ID: error`, `warning` or `note`, and a body"),
        Wrong(
            "# nothing\n\n", "1:1",
            seen: "a file without a rule",
            expected: "`rule ID: error`, `warning` or `note`, and a body"),
        Wrong(
            "rul x: error", "1:1",
            seen: "`rul`",
            expected: "`rule`", nearest: "rule"),
        Wrong(
            "rule : error", "1:6",
            seen: "`:`",
            expected: "an id in kebab-case, such as `delivered-within-a-day`"),
        Wrong(
            "rule Fast_Delivery: error", "1:6",
            seen: "`Fast_Delivery`",
            expected: "an id in kebab-case, such as `delivered-within-a-day`"),
        Wrong(
            "rule x error", "1:8",
            seen: "`error`",
            expected: "`:`"),
        Wrong(
            "rule x: eror", "1:9",
            seen: "`eror`",
            expected: "`error`, `warning` or `note`", nearest: "error"),
        Wrong(
            "rule x: error", "1:14",
            seen: "the end of the rule",
            expected: "`each` or `at most`"),
        Wrong(
            "rule x: error\n\n  each queue.purchased never happens", "2:1",
            seen: "the end of the rule",
            expected: "`each` or `at most`"),
        Wrong(
            "rule x: error\n  every queue.purchased never happens", "2:3",
            seen: "`every`",
            expected: "`each` or `at most`"),
        Wrong(
            "rule x: error\n  each queue.purchsed never happens", "2:8",
            seen: "`queue.purchsed`",
            expected: "a type of event or a family", nearest: "queue.purchased"),
        Wrong(
            "rule x: error\n  each delivry.* never happens", "2:8",
            seen: "`delivry.*`",
            expected: "a type of event or a family", nearest: "delivery.*"),
        Wrong(
            "rule x: error\n  each queue.purchased happens", "2:24",
            seen: "`happens`",
            expected: "`where`, `after`, `in a log with`, `is` or `never`"),
        Wrong(
            "rule x: error\n  each queue.purchased never", "2:29",
            seen: "the end of the rule",
            expected: "`happens`"),
    ]

    private static let conditions: [Wrong] = [
        Wrong(
            "rule x: error\n  each queue.purchased is folowed by delivery.delivered", "2:27",
            seen: "`folowed`",
            expected: "`not`, `followed` or `preceded`", nearest: "followed"),
        Wrong(
            "rule x: error\n  each queue.purchased is followed delivery.delivered", "2:36",
            seen: "`delivery.delivered`",
            expected: "`by`"),
        Wrong(
            "rule x: error\n  each queue.purchased where ofer = code never happens", "2:30",
            seen: "`ofer`",
            expected: "a key of queue.purchased", nearest: "offer"),
        Wrong(
            "rule x: error\n  each queue.purchased where offer = introductry never happens", "2:38",
            seen: "`introductry`",
            expected: "`introductory`, `promotional`, `code`, `winBack` or `retention`",
            nearest: "introductory"),
        Wrong(
            "rule x: error\n  each queue.purchased where offer < code never happens", "2:36",
            seen: "`<`",
            expected: "`=`, `!=`, `in` or `is absent` after `offer`"),
        Wrong(
            "rule x: error\n  each queue.purchased where price > cheap never happens", "2:38",
            seen: "`cheap`",
            expected: "a whole number"),
        Wrong(
            "rule x: error\n  each queue.purchased where purchasedAt < 2026-02-30 never happens",
            "2:44",
            seen: "`2026-02-30`",
            expected: "a time such as 2026-02-20T09:00:00Z or a day such as 2026-02-20"),
        Wrong(
            "rule x: error\n  each queue.purchased where currency = euro never happens", "2:41",
            seen: "`euro`",
            expected: "three capital letters, such as EUR"),
        Wrong(
            "rule x: error\n  each receipt.listed where upgraded = yes never happens", "2:40",
            seen: "`yes`",
            expected: "`true` or `false`"),
        Wrong(
            "rule x: error\n  each queue.purchased where offer in (code, winBack never happens",
            "2:54",
            seen: "`never`",
            expected: "`,` or `)`"),
        Wrong(
            "rule x: error\n  each queue.purchased where offer is missing", "2:39",
            seen: "`missing`",
            expected: "`absent`"),
        Wrong(
            "rule x: error\n  each queue.* where type = delivery.delivered never happens", "2:22",
            seen: "conditions that no type of queue.* meets",
            expected: "at least one type that can"),
        Wrong(
            "rule x: error\n  each queue.purchased is followed by app.launched of the same product",
            "2:64",
            seen: "`product`",
            expected: "a key of both queue.purchased and app.launched: `source`, `account`, "
                + "`device`, `environment` or `notification`"),
        Wrong(
            "rule x: error\n  at most 1 queue.purchased of the same price", "2:41",
            seen: "`price`",
            expected: "a key of queue.purchased: `source`, `account`, `device`, `environment`, "
                + "`product`, `kind`, `group`, `payment`, `transaction`, `original` or "
                + "`notification`"),
    ]

    private static let clauses: [Wrong] = [
        Wrong(
            "rule x: error\n  at most 1 queue.purchased of the same account and account", "2:53",
            seen: "`account` again",
            expected: "each key once"),
        Wrong(
            "rule x: error\n  at most 0 queue.purchased", "2:11",
            seen: "`0`",
            expected: "a number from 1 to 1000"),
        Wrong(
            "rule x: error\n  at most 3 queue.failed within soon", "2:33",
            seen: "`soon`",
            expected: "a whole number from 1 to 1000000"),
        Wrong(
            "rule x: error\n  at most 3 queue.failed within 3 dais", "2:35",
            seen: "`dais`",
            expected: "`seconds`, `minutes`, `hours`, `days` or `launches`", nearest: "days"),
        Wrong(
            "rule x: error\n  at most 3 queue.failed before app.launched", "2:26",
            seen: "`before`",
            expected: "`where`, `of the same` or `within`, or a blank line at the end of the rule"),
        Wrong(
            "rule x: error\n  each queue.failed is followed by queue.failed unless app.launched",
            "2:68",
            seen: "the end of the rule",
            expected: "`of the same` or `comes between`"),
        Wrong(
            "rule x: error\n  each queue.finished is not followed by queue.failed of the "
                + "same payment unless app.launched of the same device comes between", "2:101",
            seen: "a line of 126 columns",
            expected: "at most 100 columns"),
        Wrong(
            "rule x: error\n  each queue.finished is not followed by queue.failed of the "
                + "same payment\n  unless app.launched of the same device comes between", "3:35",
            seen: "`device`",
            expected: "a key that joins the two events: `payment`"),
        Wrong(
            "rule x: error\n  each queue.purchased where product = \"coins never happens", "2:40",
            seen: "a text without an end",
            expected: "`\"` at the end of the text"),
        Wrong(
            "rule x: error\n  each queue.purchased where product = \"a\\b\" never happens", "2:42",
            seen: "a backslash",
            expected: "`\\\"` or `\\\\`"),
        Wrong(
            "rule x: error\n  each queue.purchased where product = a\u{1}b never happens", "2:41",
            seen: "a control character",
            expected: "a word"),
        Wrong(
            "rule finished-once: error\n  each queue.removed never happens", "1:6",
            seen: "`finished-once`, the id of another rule",
            expected: "an id that no other rule has"),
        Wrong(
            "rule x: error\n  each queue.removed never happens\n\nrule x: note\n  each "
                + "queue.failed never happens", "4:6",
            seen: "`x`, the id of another rule",
            expected: "an id that no other rule has"),
        Wrong(
            "rule x: error\n  each queue.removed never happens\nrule y: note\n  each "
                + "queue.failed never happens", "3:1",
            seen: "`rule`",
            expected: "a blank line at the end of the rule"),
    ]

    private static let relations: [Wrong] = [
        Wrong(
            "rule x: error\n  each queue.finished after queue.purchsed never happens", "2:29",
            seen: "`queue.purchsed`",
            expected: "a type of event or a family", nearest: "queue.purchased"),
        Wrong(
            "rule x: error\n  each queue.finished after queue.purchased and queue.failed", "2:45",
            seen: "`and`",
            expected: "`and after`, `in a log with`, `is` or `never`", nearest: "and after"),
        Wrong(
            "rule x: error\n  each queue.finished in the log with app.launched", "2:26",
            seen: "`the`",
            expected: "`a`"),
        Wrong(
            "rule x: error\n  each queue.finished in a log with app.launched after queue.failed",
            "2:50",
            seen: "`after`",
            expected: "`is` or `never`"),
        Wrong(
            "rule x: error\n  at most 1 queue.failed after queue.purchased", "2:26",
            seen: "`after`",
            expected: "`where`, `of the same` or `within`, or a blank line at the end of the rule"),
        Wrong(
            "rule x: error\n  each queue.purchased is preceded by queue.purchased\n"
                + "  of the same original and a latr purchasedAt", "3:30",
            seen: "`latr`",
            expected: "`different`, `later` or `earlier`", nearest: "later"),
        Wrong(
            "rule x: error\n  at most 1 queue.purchased of the same account and a later at", "2:55",
            seen: "`later`",
            expected: "`different`"),
        Wrong(
            "rule x: error\n  each queue.failed is preceded by app.launched\n"
                + "  of the same device and a later price", "3:34",
            seen: "`price`",
            expected: "a key of both queue.failed and app.launched: `at` or `signedAt`"),
        Wrong(
            "rule x: error\n  at most 1 queue.purchased\n"
                + "  of the same account and a different account", "3:39",
            seen: "`account` again",
            expected: "each key once"),
        Wrong(
            "rule x: error\n  each queue.purchased is preceded by queue.purchased\n"
                + "  of the same original and a later purchasedAt within 1 day", "3:48",
            seen: "`within`",
            expected: "a blank line at the end of the rule"),
    ]

    private static let files = headings + conditions + clauses + relations

    @Test(arguments: files.indices)
    func `a wrong file says where, what was seen and what was expected`(_ index: Int) throws {
        let wrong = WrongRuleFileTests.files[index]
        do throws(RuleFileError) {
            let rules = try WrittenRule.rules(of: Array(wrong.text.utf8), file: "own.rules")
            Issue.record("no error in: \(wrong.text), but \(rules.count) rules")
        } catch {
            #expect("\(error.line):\(error.column)" == wrong.place)
            #expect(error.seen == wrong.seen)
            #expect(error.expected == wrong.expected)
            #expect(error.nearest == wrong.nearest)
            #expect(error.description.hasPrefix("own.rules:\(wrong.place): seen \(wrong.seen), "))
        }
    }

    @Test func `bytes that are no UTF-8 are told by their line`() {
        let bytes = Array("# first\n".utf8) + [0xFF, 0x0A]
        #expect(
            throws: RuleFileError.self,
            performing: {
                try WrittenRule.rules(of: bytes, file: "own.rules")
            })
    }

    @Test func `no change of one byte of a right file traps`() throws {
        let text = Array(
            "rule x: error\n each queue.* where type in (queue.failed) and price > 3\n"
                .utf8)
        for index in text.indices {
            for byte in [UInt8(0), 0x0A, 0x22, 0x28, 0x2E, 0x5C, 0x7A, 0xC3] {
                var wrong = text
                wrong[index] = byte
                _ = try? WrittenRule.rules(of: wrong, file: "own.rules")
                _ = try? WrittenRule.rules(of: Array(wrong[...index]), file: "own.rules")
            }
        }
    }
}
