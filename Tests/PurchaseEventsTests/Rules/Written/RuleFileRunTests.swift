import PurchaseEvents
import PurchaseProjections
import Testing

@testable import replay

/// Rule files, passed to the tool.
@Suite struct RuleFileRunTests {
    private static let own = """
        rule few-purchases: error
          at most 1 queue.purchased of the same product

        rule coins-are-valid: warning
          each queue.purchased where product = coins
          is followed by delivery.validated of the same transaction within 1 day
        """

    private static func host() -> TestHost {
        TestHost(["log.jsonl": Logs.text(Logs.small), "own.rules": own])
    }

    @Test func `rules of a file run beside the catalogue, or alone`() {
        let beside = replay("check", "--rules=own.rules", "log.jsonl", on: RuleFileRunTests.host())
        #expect(beside.status == .violated)
        #expect(beside.output.contains("log.jsonl:6: error: [few-purchases] queue.purchased"))
        #expect(beside.output.contains("[finished-implies-delivered]"))
        #expect(beside.output.contains("hint: the rule is written at own.rules:1"))
        let alone = replay(
            "check", "--rules=own.rules", "--only", "log.jsonl", on: RuleFileRunTests.host())
        #expect(alone.status == .violated)
        #expect(!alone.output.contains("[finished-implies-delivered]"))
        #expect(alone.error.contains("2 rules: 0 hold, 1 with errors, 1 undetermined"))
    }

    @Test func `an undetermined rule of a file says why, and gives status 2`() {
        let ran = replay(
            "check", "--rules=own.rules", "--rule=coins-are-valid", "--verbose", "log.jsonl",
            on: RuleFileRunTests.host())
        #expect(ran.status == .undetermined)
        #expect(ran.output.contains("undetermined  coins-are-valid"))
        #expect(ran.output.contains("tested 2 times"))
        #expect(
            ran.output.contains(
                "2 events wait for delivery.validated of the same transaction at the end of the "
                    + "log, line 3 first, and the time isn't over"))
    }

    @Test(arguments: ["text", "json", "sarif", "github"])
    func `each format reports a rule of a file as it reports the others`(_ format: String) {
        let ran = replay(
            "check", "--rules=own.rules", "--only", "--format=\(format)", "log.jsonl",
            on: RuleFileRunTests.host())
        #expect(ran.status == .violated)
        #expect(ran.output.contains("few-purchases"))
        if format == "sarif" {
            #expect(ran.output.contains("\"id\":\"few-purchases\""))
            #expect(ran.output.contains("own.rules:1"))
        }
    }

    @Test func `rules lists and shows the rules of a file`() {
        let list = replay("rules", "--rules=own.rules", on: RuleFileRunTests.host())
        #expect(list.status == .well)
        #expect(list.lines.count == RuleCatalogue.all.count + 2)
        #expect(list.lines.last?.hasPrefix("coins-are-valid") == true)
        let one = replay("rules", "few-p", "--rules=own.rules", on: RuleFileRunTests.host())
        #expect(one.output.contains("few-purchases (error)"))
        #expect(one.output.contains("At most 1 queue.purchased of the same product."))
        #expect(one.output.contains("evidence: own.rules:1"))
    }

    @Test func `a rule file comes from standard input or from several files`() {
        let host = RuleFileRunTests.host()
        host.input = Array("rule no-finish: note\n each queue.finished never happens".utf8)
        let ran = replay(
            "check", "--rules=own.rules", "--rules=-", "--only", "log.jsonl", on: host)
        #expect(ran.output.contains("[no-finish]"))
        #expect(ran.output.contains("[few-purchases]"))
        let twice = replay("check", "--rules=-", "-", on: RuleFileRunTests.host())
        #expect(twice.status == .usage)
    }

    @Test func `a wrong file, a missing one and a repeated id are told`() {
        let host = RuleFileRunTests.host()
        host.files["wrong.rules"] = Array("rule x: eror".utf8)
        let wrong = replay("check", "--rules=wrong.rules", "log.jsonl", on: host)
        #expect(wrong.status == .usage)
        #expect(
            wrong.error.contains(
                "wrong.rules:1:9: seen `eror`, expected `error`, `warning` or `note`: did you mean "
                    + "`error`?"))
        #expect(wrong.output.isEmpty)
        let missing = replay("check", "--rules=no.rules", "log.jsonl", on: RuleFileRunTests.host())
        #expect(missing.status == .noInput)
        let again = replay(
            "check", "--rules=own.rules", "--rules=own.rules", "log.jsonl",
            on: RuleFileRunTests.host())
        #expect(again.status == .usage)
        #expect(again.error.contains("own.rules:1:6: seen `few-purchases`, the id of another rule"))
        let only = replay("check", "--only", "log.jsonl", on: RuleFileRunTests.host())
        #expect(only.status == .usage)
        let rule = replay(
            "check", "--rules=own.rules", "--rule=few-purchase5", "log.jsonl",
            on: RuleFileRunTests.host())
        #expect(rule.status == .usage)
        #expect(rule.error.contains("did you mean `few-purchases`?"))
    }
}
