import Foundation
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

    @Test(arguments: [(4, false), (4, true), (0, false), (0, true)])
    func `what was reached is printed when time runs out or a signal comes`(
        answers: Int, isSignal: Bool
    ) {
        let host = TestHost(["log.jsonl": ShrinkRunTests.log])
        var tries = 0
        host.answer = { _, bytes in
            tries += 1
            guard tries > answers else {
                return String(decoding: bytes, as: UTF8.self).contains("queue.finished")
            }
            if isSignal { host.hasSignal = true } else { host.elapsed = .seconds(100) }
            return nil
        }
        let ran = replay("shrink", "--check=x", "log.jsonl", on: host)
        #expect(ran.status == .undetermined && host.holdsSignals && tries == answers + 1)
        #expect(ran.output.contains("queue.finished") == (answers > 0))
        let words =
            answers == 0
            ? "no answer for the whole log before \(isSignal ? "a signal came" : "time ran out"),"
            : "; \(isSignal ? "interrupted" : "time ran out"), so more lines might be removable"
        #expect(ran.error.contains(words), "\(ran.error)")
    }

    @Test(
        .enabled(if: ToolProcess.isBuilt, "the tool is not built"), arguments: [SIGINT, SIGTERM])
    func `a signal ends the command, and no copy of the log is left`(number: Int32) throws {
        let folder = try TemporaryFolder()
        try folder.write(ShrinkRunTests.log, to: folder.log)
        // Answers for the whole log, and is stuck on the first smaller one.
        let stuck = "{ : >'\(folder.path)/stuck'; sleep 90; }"
        let command = "f() { test $(wc -l <\"$1\") -gt 4 || \(stuck); }; f"
        let tool = try ToolProcess(["shrink", "--check=\(command)", folder.log], in: folder)
        try tool.wait { try folder.names.contains("stuck") }
        #expect(try folder.names.contains { $0.hasPrefix("replay-") })
        #expect(tool.end(by: number) == .exit && tool.status == 2)
        #expect(try folder.read(tool.output).split(separator: "\n").count == 5)
        #expect(try folder.read(tool.errors).contains("; interrupted, so more lines"))
        #expect(try folder.names.allSatisfy { !$0.hasPrefix("replay-") })
    }
}
