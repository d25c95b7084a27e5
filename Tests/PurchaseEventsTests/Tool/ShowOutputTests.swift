import Foundation
import PurchaseEvents
import PurchaseProjections
import Testing

@testable import replay

struct ShowOutputTests {
    @Test func `columns of a table stand below each other whatever the script`() {
        #expect(TextFormat.columns(of: "abc") == 3)
        #expect(TextFormat.columns(of: "caf\u{E9}") == 4)
        #expect(TextFormat.columns(of: "cafe\u{301}") == 4)
        #expect(TextFormat.columns(of: "\u{65E5}\u{672C}") == 4)
        #expect(TextFormat.padded("\u{D55C}", 4) == "\u{D55C}  ")
        let host = TestHost()
        host.terminals = [.output]
        host.variables = ["NO_COLOR": "1"]
        let table = TableText(ToolSession(host, rules: []))
        let lines = table.lines(
            ["\u{65E5}\u{672C}", "abc"].map {
                [RowField("a", .text($0)), RowField("b", .text("x"))]
            })
        #expect(lines == ["a     b", "\u{65E5}\u{672C}  x", "abc   x"])
    }

    @Test func `a cell is in its key's column, also where an earlier row lacks the key before`() {
        // The first two rows put "next" before "renews".
        let rows = [["state", "renews"], ["state", "next"], ["state", "renews", "next"]].map {
            $0.map { RowField($0, .text($0)) }
        }
        let table = [
            ["state", "next", "renews"], ["state", "", "renews"], ["state", "next", ""],
            ["state", "next", "renews"],
        ]
        let host = TestHost()
        host.variables = ["NO_COLOR": "1"]
        let lines = TableText(ToolSession(host, rules: [])).lines(rows)
        #expect(lines == table.map { $0.joined(separator: "\t") })
        host.terminals = [.output]
        #expect(
            TableText(ToolSession(host, rules: [])).lines(rows) == [
                "state  next  renews", "state        renews", "state  next", "state  next  renews",
            ])
    }

    @Test func `stats count alike on any number of threads and across blocks`() throws {
        var lines = Logs.small
        let long = "{\"text\":\"" + String(repeating: "x", count: 9 << 20) + "\"}"
        lines.insert(long, at: 2)
        // Each line has a long name, so that a few lines fill many blocks.
        let account = String(repeating: "a", count: 250)
        for number in 0..<12_000 {
            lines.append(
                #"{"seq":\#(number + 9),"at":"2026-01-02T00:00:00.000Z","type":"queue.removed","#
                    + #""account":"\#(account)","transaction":"t\#(number % 500)"}"#)
        }
        let text = Logs.text(lines)
        let outputs = [1, 2, 3].map { threads in
            replay(
                "stats", "--format=json", "--threads=\(threads)", "a", on: TestHost(["a": text])
            ).output
        }
        #expect(Set(outputs).count == 1)
        #expect(outputs[0].contains("\"events\":12007,"))
        #expect(outputs[0].contains("\"transactions\":500,"))
        #expect(outputs[0].contains("\"notUnderstood\":1"))
    }

    @Test func `names that only lines have which were not understood are not counted`() {
        func line(_ number: Int, _ keys: String) -> String {
            #"{"seq":\#(number),"at":"2026-03-02T09:00:00.000Z",\#(keys)}"#
        }
        func bad(_ number: Int, _ account: String, _ transaction: String) -> String {
            line(
                number,
                #""type":"delivery.delivered","account":"\#(account)","#
                    + #""transaction":"\#(transaction)","quantity":0"#)
        }
        let alone = TestHost(["a": bad(1, "ghost", "t") + "\n"])
        let counted = replay("stats", "--format=json", "a", on: alone).output
        #expect(counted.contains(#""accounts":0,"transactions":0,"#))
        // Some of the names also occur in events: before, after, and in other blocks.
        var lines: [String] = []
        for number in 0..<6_000 {
            lines.append(bad(number, "ghost\(number)", "a\(number % 900)"))
            lines.append(
                line(
                    number,
                    #""type":"queue.finished","account":"a\#(number % 70)","#
                        + #""transaction":"\#(number % 800)""#))
            lines.append(bad(number, "a\(number % 90)", "ghost\(number)"))
        }
        lines.append(
            line(1, #""type":"account.linked","account":"a1","original":"a7","from":"ghost9""#))
        let text = Logs.text(lines)
        for threads in 1...4 {
            let ran = replay(
                "stats", "--format=json", "--threads=\(threads)", "a", on: TestHost(["a": text]))
            #expect(ran.output.contains(#""accounts":71,"transactions":801,"#), "\(ran.output)")
        }
    }
}
