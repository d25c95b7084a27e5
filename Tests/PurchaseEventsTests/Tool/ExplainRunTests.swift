import Testing

@testable import replay

struct ExplainRunTests {
    @Test func `a combining mark after the equals sign is part of the value`() throws {
        let check = try #require(
            try Parser.parse(["check", "--account=\u{301}x", "log"]) as? CheckCommand)
        #expect(check.input.account?.utf8.elementsEqual("\u{301}x".utf8) == true)
    }

    @Test func `a file on standard input is read again, a pipe is kept`() {
        for isFile in [true, false] {
            let host = TestHost(input: Logs.text(Logs.small))
            host.inputIsFile = isFile
            let ran = replay("explain", "t1", "-", on: host)
            #expect(ran.output.contains("the app delivered the purchase"))
            #expect(isFile ? host.inputReads > 2 : host.inputReads == 1)
        }
        let empty = TestHost(input: "")
        empty.inputIsFile = true
        #expect(replay("explain", "t1", "-", on: empty).error.hasPrefix("replay: - is empty"))
    }
}
