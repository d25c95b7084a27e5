import PurchaseEvents
import PurchaseProjections
import Testing

@testable import replay

struct ExplainRunTests {
    @Test func `names that only look alike are told apart`() throws {
        let timeline = Timeline(
            """
            queue.purchased account=caf\u{E9} transaction=t0 product=coins
            queue.finished account=caf\u{E9} transaction=t0
            queue.purchased account=cafe\u{301} transaction=t1 product=coins
            queue.finished account=cafe\u{301} transaction=t1
            """)
        let ran = replay(
            "check", "--verbose", "--format=json", "--account=cafe\u{301}", "a",
            on: TestHost(["a": Logs.text(timeline.lines)]), rules: [NothingFinished.self])
        #expect(ran.lines.count == 2)
        #expect(ran.lines[0].contains(#""line":5,"#))
        #expect(ran.lines[1].hasSuffix(#""findings":1}"#))
        let story = replay("explain", "coins", "a", on: TestHost(["a": Logs.text(timeline.lines)]))
        #expect(story.lines.contains { $0.hasPrefix("accounts ") })
        #expect(story.lines.count { $0.contains(", account caf") } == 2)
        // A combining mark after `=` is part of the value.
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
