import Foundation
import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections
import Testing

@testable import replay

@Suite struct SummaryTests {
    private func run(
        _ arguments: [String], _ files: [String: String] = ["log.jsonl": ShrinkRunTests.log]
    ) -> (status: ToolStatus, output: String, error: String, host: TestHost) {
        let host = TestHost(files)
        let status = Tool.run(arguments, on: host, rules: RuleCatalogue.all)
        return (status, host.output, host.error, host)
    }

    @Test func `each rule of the catalogue says whether it is about money`() {
        for rule in RuleCatalogue.all { #expect(MoneySide.of(rule: rule.id) != nil, "\(rule.id)") }
        #expect(MoneySide.of(rule: "no-such-rule") == nil)
    }

    @Test func `a summary has a line a rule, with the money at stake`() {
        let ran = run(["check", "--summary", "--format=json", "log.jsonl"])
        #expect(ran.status == .violated)
        #expect(
            ran.output.contains(
                #"{"rule":"finished-implies-delivered","level":"error","findings":1,"accounts":1,"#
                    + #""transactions":1,"stake":{"EUR":4990},"path":"log.jsonl","firstLine":5,"#
                    + #""at":"2026-03-02T09:00:00.000Z"}"#))
        let text = run(["check", "--summary", "log.jsonl"])
        #expect(text.output.hasPrefix("level\trule\tfindings\taccounts\ttransactions\tstake"))
        #expect(text.error.contains("money at stake, each transaction once: 4.99 EUR"))
        #expect(run(["check", "--summary", "--format=sarif", "log.jsonl"]).status == .usage)
    }

    @Test func `a finding of money has its stake in JSON`() {
        let ran = run(["check", "--format=json", "--rule=finished-implies-delivered", "log.jsonl"])
        #expect(ran.output.contains(#""stake":{"EUR":4990}"#))
    }

    @Test func `what a baseline lists doesn't fail, whatever its line`() {
        let first = run(["check", "--write-baseline=known.json", "log.jsonl"])
        #expect(first.status == .violated)
        let known = String(decoding: first.host.files["known.json"] ?? [], as: UTF8.self)
        #expect(known.contains(#""rule":"finished-implies-delivered""#))
        let files = ["log.jsonl": ShrinkRunTests.log, "known.json": known]
        let again = run(["check", "--baseline=known.json", "log.jsonl"], files)
        #expect(again.status == .well && again.output.isEmpty)
        #expect(again.error.contains("known finding"))
        let more = ShrinkRunTests.log.replacingOccurrences(of: "4700", with: "4701")
        let other = run(
            ["check", "--baseline=known.json", "o.jsonl"],
            [
                "o.jsonl": more, "known.json": known,
            ])
        #expect(other.status == .violated && other.error.contains("of the baseline gone"))
    }

    @Test func `a wrong baseline is told by its line`() {
        let files = [
            "log.jsonl": ShrinkRunTests.log, "known.json": "{\"rule\":\"a\"}\n{\"line\":3}\n",
        ]
        let ran = run(["check", "--baseline=known.json", "log.jsonl"], files)
        #expect(ran.status == .usage)
        #expect(ran.error.contains("known.json:2: expected an object with the key `rule`"))
        #expect(run(["check", "--baseline=none.json", "log.jsonl"]).status == .noInput)
    }
}
