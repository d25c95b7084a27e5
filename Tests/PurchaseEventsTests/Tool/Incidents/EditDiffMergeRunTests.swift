import PurchaseEvents
import Testing

@testable import replay

struct EditDiffMergeRunTests {
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

    @Test func `what a merge leaves out or keeps twice is told`() {
        func log(_ app: String, _ noted: [String]) -> String {
            let at = #""at":"2026-02-20T09:00:00.000Z""#
            let opened = #"{"seq":1,\#(at),"type":"log.opened","schema":1,"app":"\#(app)"}"#
            let lines = noted.enumerated().map { number, text in
                #"{"seq":\#(number + 2),\#(at),"id":"n","type":"log.noted","text":"\#(text)"}"#
            }
            return Logs.text([opened] + lines)
        }
        let host = TestHost(["a": log("one", ["same"]), "b": log("two", ["same", "other"])])
        let ran = replay("merge", "a", "b", on: host)
        #expect(ran.status == .undetermined)
        #expect(
            ran.error == """
                replay: a: app `one` is not in the merged log.opened, because the logs differ in it
                replay: b: app `two` is not in the merged log.opened, because the logs differ in it
                replay: 1 event left out, because an equal one has the same id
                replay: b:3: another event with the id `n` has different content; both are kept

                """)
        #expect(ran.lines.count == 3)
    }
}
