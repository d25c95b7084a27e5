import PurchaseEvents
import Testing

@testable import replay

@Suite struct EditDiffMergeRunTests {
    private static func host() -> TestHost {
        TestHost(["log": Logs.text(Logs.small), "torn": Logs.text(Logs.small) + "{"])
    }

    @Test(arguments: [["edit", "log"], ["diff", "log", "torn"], ["merge", "log"]])
    func `a full disk is an error`(_ arguments: [String]) {
        let host = Self.host()
        host.outputProblem = 28
        let status = Tool.run(arguments, on: host)
        #expect(status == .ioFailed, "\(host.error)")
    }

    @Test(arguments: [["edit", "log"], ["diff", "log", "log"], ["merge", "log"]])
    func `a file that can't be read to its end is an error`(_ arguments: [String]) {
        let host = Self.host()
        host.broken = ["log"]
        #expect(Tool.run(arguments, on: host) == .ioFailed)
        #expect(host.error.contains("log"))
    }
}
