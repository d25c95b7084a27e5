import PurchaseEvents
import Testing

@testable import replay

@Suite struct EditDiffMergeRunTests {
    private static func host() -> TestHost {
        TestHost(["log": Logs.text(Logs.small), "empty": "", "torn": Logs.text(Logs.small) + "{"])
    }

    @Test func `an edited log goes to standard output`() {
        let ran = replay("edit", "log", "--drop=2-3", "--set=4:transaction=t9", on: Self.host())
        #expect(ran.status == .well, "\(ran.error)")
        #expect(ran.lines.count == Logs.small.count - 2)
        #expect(ran.output.contains("t9"))
    }

    @Test(arguments: [
        ["edit"], ["edit", "log", "--drop=0"], ["edit", "log", "--drop=3-2"],
        ["edit", "log", "--set=1"], ["edit", "log", "--set=1:=x"], ["edit", "log", "--move=1"],
        ["edit", "log", "--insert=1:{}"], ["edit", "log", "--drop=99"],
        ["edit", "log", "--drop=2", "--set=2:device=x"], ["edit", "log", "--set=2:nothing=x"],
        ["diff", "log"], ["diff", "log", "log", "log"], ["diff", "-", "-"], ["merge"],
        ["diff", "log", "log", "--as-of=noon"],
    ])
    func `wrong arguments are a usage error, and nothing is printed`(_ arguments: [String]) {
        let host = Self.host()
        #expect(Tool.run(arguments, on: host) == .usage, "\(host.error)")
        #expect(host.output.isEmpty)
        #expect(host.error.contains("replay help"))
    }

    @Test(arguments: [["edit", "no"], ["diff", "log", "no"], ["merge", "log", "no"]])
    func `a missing input is named`(_ arguments: [String]) {
        let host = Self.host()
        #expect(Tool.run(arguments, on: host) == .noInput)
        #expect(host.output.isEmpty)
        #expect(host.error.contains("`no`"))
    }

    @Test(arguments: [["edit", "empty"], ["diff", "log", "empty"], ["merge", "log", "empty"]])
    func `an empty input is no log`(_ arguments: [String]) {
        let host = Self.host()
        #expect(Tool.run(arguments, on: host) == .undetermined, "\(host.error)")
        #expect(host.error.contains("empty"))
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

    @Test func `an edit piped to diff says what would have been`() {
        let host = Self.host()
        let edited = replay("edit", "log", "--drop=4", on: host)
        let other = Self.host()
        other.input = Array(edited.output.utf8)
        let ran = replay("diff", "log", "-", on: other)
        #expect(ran.status == .violated, "\(ran.error)")
        #expect(ran.lines.contains { $0.hasPrefix("- log:4: {") }, "\(ran.output)")
        let json = replay("diff", "log", "-", "--format=json", on: piped(edited.output))
        #expect(json.lines.count == ran.lines.count)
        #expect(json.lines.allSatisfy { $0.hasPrefix(#"{"diff":""#) })
    }

    private func piped(_ text: String) -> TestHost {
        let host = Self.host()
        host.input = Array(text.utf8)
        return host
    }

    @Test func `equal logs end with 0, and with 2 where a line isn't understood`() {
        #expect(replay("diff", "log", "log", on: Self.host()).status == .well)
        #expect(replay("diff", "torn", "torn", on: Self.host()).status == .undetermined)
        #expect(replay("edit", "torn", on: Self.host()).status == .undetermined)
        #expect(replay("merge", "torn", on: Self.host()).status == .undetermined)
    }

    @Test func `each file is a log of its own to merge`() {
        let host = TestHost(["a": Logs.text(Logs.small), "b": Logs.text(Logs.small.dropFirst())])
        let ran = replay("merge", "a", "b", on: host)
        #expect(ran.status == .well, "\(ran.error)")
        #expect(ran.lines.count == Logs.small.count * 2 - 1)
        #expect(ran.lines.count { $0.contains("log.opened") } == 1)
    }
}
