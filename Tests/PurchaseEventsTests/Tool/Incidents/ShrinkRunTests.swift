import PurchaseProjections
import Testing

@testable import replay

struct ShrinkRunTests {
    static let log = #"""
        {"seq":1,"at":"2026-03-01T09:00:00.000Z","type":"log.opened","schema":1}
        {"seq":2,"at":"2026-03-01T09:00:01.123Z","type":"app.launched","account":"6f1c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone"}
        {"seq":3,"at":"2026-03-01T09:00:02.000Z","type":"queue.purchased","account":"6f1c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone","transaction":"4700","product":"pro","quantity":7,"purchasedAt":"2026-03-01T09:00:01.500Z","price":4990,"currency":"EUR"}
        {"seq":4,"at":"2026-03-01T09:30:00.000Z","type":"delivery.persisted","device":"phone","transaction":"4700","store":"server"}
        {"seq":5,"at":"2026-03-02T09:00:00.000Z","type":"queue.finished","device":"phone","transaction":"4700"}

        """#

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
