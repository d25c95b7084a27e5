import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections
import Testing

@testable import replay

@Suite struct ShrinkRunTests {
    static let log = #"""
        {"seq":1,"at":"2026-03-01T09:00:00.000Z","type":"log.opened","schema":1}
        {"seq":2,"at":"2026-03-01T09:00:01.123Z","type":"app.launched","account":"6f1c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone"}
        {"seq":3,"at":"2026-03-01T09:00:02.000Z","type":"queue.purchased","account":"6f1c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone","transaction":"4700","product":"pro","quantity":7,"purchasedAt":"2026-03-01T09:00:01.500Z","price":4990,"currency":"EUR"}
        {"seq":4,"at":"2026-03-01T09:30:00.000Z","type":"delivery.persisted","device":"phone","transaction":"4700","store":"server"}
        {"seq":5,"at":"2026-03-02T09:00:00.000Z","type":"queue.finished","device":"phone","transaction":"4700"}

        """#

    private func run(_ arguments: String...) -> (status: ToolStatus, output: String, error: String)
    {
        let host = TestHost(["log.jsonl": ShrinkRunTests.log])
        let status = Tool.run(arguments, on: host, rules: RuleCatalogue.all)
        return (status, host.output, host.error)
    }

    @Test func `the lines that show a finding are printed, as simple as can be`() {
        let ran = run("shrink", "--rule=finished-implies-delivered", "log.jsonl")
        #expect(ran.status == .well)
        #expect(
            ran.output == #"""
                {"seq":1,"at":"2026-03-01T09:00:00.000Z","type":"log.opened","schema":1}
                {"seq":2,"at":"2026-03-01T09:00:02.000Z","type":"queue.purchased","transaction":"4700","product":"pro","purchasedAt":"2026-03-01T09:00:01.000Z"}
                {"seq":3,"at":"2026-03-01T09:00:03.000Z","type":"delivery.persisted","transaction":"4700","store":"server"}
                {"seq":4,"at":"2026-03-01T09:00:04.000Z","type":"queue.finished","transaction":"4700"}

                """#)
        #expect(ran.error.contains("5 lines down to 4; no line can be left out"))
    }

    @Test func `that the chain is left out is said`() {
        let chained = ShrinkRunTests.log
            .replacing(#""schema":1}"#, with: #""schema":1,"chained":true}"#)
        let host = TestHost(["log.jsonl": chained])
        let status = Tool.run(
            ["shrink", "--rule=finished-implies-delivered", "log.jsonl"], on: host,
            rules: RuleCatalogue.all)
        #expect(status == .well)
        #expect(!host.output.contains("chain"))
        #expect(host.error.contains("; no line can be left out; the chain is left out; "))
    }

    @Test func `a fault that isn't there is said, with status 1`() {
        let none = run("shrink", "--rule=delivered-once", "log.jsonl")
        #expect(none.status == .violated && none.output.isEmpty)
        #expect(none.error.contains("expected a finding of delivered-once; it finds nothing there"))
        let other = run("shrink", "--rule=finished-implies-delivered", "--key=1", "log.jsonl")
        #expect(other.status == .violated)
        #expect(other.error.contains("about `1`; its first is on line 5"))
    }

    @Test func `wrong arguments are usage errors`() {
        #expect(run("shrink", "log.jsonl").status == .usage)
        #expect(run("shrink", "--rule=no-such-rule", "log.jsonl").status == .usage)
        #expect(run("shrink", "--check=true", "--line=3", "log.jsonl").status == .usage)
        #expect(run("shrink", "--rule=delivered-once", "--budget=3", "log.jsonl").status == .usage)
        #expect(run("shrink", "--rule=delivered-once", "none.jsonl").status == .noInput)
    }

    @Test func `a shell command may decide`() {
        let host = TestHost(["log.jsonl": ShrinkRunTests.log])
        host.answer = { command, bytes in
            command == "grep -q finished"
                && String(decoding: bytes, as: UTF8.self).contains("queue.finished")
        }
        let status = Tool.run(
            ["shrink", "--check=grep -q finished", "log.jsonl"], on: host,
            rules: RuleCatalogue.all)
        #expect(status == .well)
        #expect(host.output.split(separator: "\n").count == 2)
    }
}
