import Foundation
import PurchaseEvents
import PurchaseProjections
import Testing

@testable import replay

@Suite struct ShowOutputTests {
    private let path = "events/valid/billing-retry-recovered.jsonl"

    @Test func `a pipe gets a line a row with tabs between`() throws {
        let ran = replay("show", "entitlements", path, on: try TestHost.samples("valid"))
        #expect(ran.status == .well)
        #expect(ran.lines.count == 2)
        #expect(ran.lines[0].hasPrefix("account\tproduct\tkind\tactive\t"))
        #expect(
            ran.lines.allSatisfy { line in
                line.split(separator: "\t", omittingEmptySubsequences: false).count
                    == ran.lines[0].split(separator: "\t").count
            })
        #expect(ran.lines[1].contains("\t2026-06-05T14:30:00.000Z\t"))
    }

    @Test func `a terminal gets a table where it is wide enough, else a block a row`() throws {
        for (columns, name) in [(200, "wide"), (60, "narrow")] {
            let host = try TestHost.samples("valid")
            host.terminals = [.output]
            host.variables = ["NO_COLOR": "1"]
            host.columns = columns
            let ran = replay("show", "all", path, on: host)
            try expectGolden(ran.output, "Tool/show.\(name).txt")
        }
    }

    @Test func `columns of a table stand below each other whatever the script`() {
        #expect(Words.columns(of: "abc") == 3)
        #expect(Words.columns(of: "caf\u{E9}") == 4)
        #expect(Words.columns(of: "cafe\u{301}") == 4)
        #expect(Words.columns(of: "\u{65E5}\u{672C}") == 4)
        #expect(Words.padded("\u{D55C}", 4) == "\u{D55C}  ")
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

    @Test func `rows say their projection and their log where there are several`() throws {
        let one = replay("show", "pending", "--format=json", path, on: try .samples("valid"))
        #expect(one.output.isEmpty)
        let all = replay("show", "all", "--format=json", path, on: try .samples("valid"))
        #expect(all.lines.allSatisfy { $0.hasPrefix("{\"show\":\"") })
        let several = replay(
            "show", "accounts", "--format=json", "events/valid", on: try .samples("valid"))
        #expect(several.lines.allSatisfy { $0.hasPrefix("{\"log\":\"events/valid/") })
        for line in all.lines + several.lines {
            #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
        }
    }

    @Test func `rows are of the account, the instant and the line that are asked for`() throws {
        let nobody = replay(
            "show", "entitlements", "--account=nobody", path, on: try .samples("valid"))
        #expect(nobody.output.isEmpty)
        let early = replay(
            "show", "subscriptions", "--format=json", "--as-of=2026-04-25", path,
            on: try .samples("valid"))
        #expect(early.output.contains("\"status\":\"retry\""))
        let unheard = replay(
            "show", "subscriptions", "--format=json", "--until-seq=25", path,
            on: try .samples("valid"))
        #expect(unheard.output.contains("\"status\":\"active\""))
    }

    @Test func `what was not understood is told after the rows`() throws {
        let host = try TestHost.samples("malformed")
        let ran = replay("show", "pending", "events/malformed/not-json.jsonl", on: host)
        #expect(ran.status == .undetermined)
        #expect(ran.error.contains("1 line of events/malformed/not-json.jsonl not understood"))
    }

    @Test func `stats count what a log holds`() throws {
        let host = TestHost(["a": Logs.text(Logs.small) + "x\n\n"])
        let ran = replay("stats", "--format=json", "a", on: host)
        #expect(ran.status == .undetermined)
        #expect(
            ran.output == """
                {"events":7,"types":{"log.opened":1,"app.launched":1,"queue.purchased":2,\
                "queue.finished":2,"delivery.delivered":1},"accounts":2,"transactions":2,\
                "from":"2026-01-01T00:00:00.000Z","until":"2026-01-01T06:00:00.000Z",\
                "notUnderstood":1}

                """)
        let text = replay("stats", "a", on: TestHost(["a": Logs.text(Logs.small)]))
        #expect(text.lines.contains("transactions    2"))
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

    @Test func `explain knows no name that only a line has which isn't told`() {
        let ghost =
            #"{"seq":8,"at":"2026-03-02T09:00:00.000Z","type":"delivery.delivered","#
            + #""account":"ghost","transaction":"t1","quantity":0}"#
        let text = Logs.text(Logs.small + [ghost])
        let ran = replay("explain", "ghost", "a", on: TestHost(["a": text]))
        #expect(ran.status == .noInput && ran.output.isEmpty)
        #expect(ran.error.contains("no line of a names `ghost`"))
        let early = replay("explain", "--until-seq=4", "t2", "a", on: TestHost(["a": text]))
        #expect(early.status == .noInput && early.output.isEmpty)
        let known = replay("explain", "t1", "a", on: TestHost(["a": text]))
        #expect(known.lines.first == "transaction  t1")
    }

    @Test func `an unknown key of a line is shown by explain`() throws {
        let host = try TestHost.samples("malformed")
        let path = "events/malformed/unknown-key.jsonl"
        let line = try #require(
            host.files[path].map { String(decoding: $0, as: UTF8.self) }?.split(separator: "\n")[3])
        let product = try #require(
            line.split(separator: "\"product\":\"").last?.split(separator: "\"")[0])
        let ran = replay("explain", String(product), path, on: host)
        #expect(ran.output.contains("unknown key colour: "))
    }

    @Test func `explain shows unknown keys and no others, however they are written`() throws {
        let line =
            #"{"seq":2,"at":"2026-01-01T00:00:00.000Z","typ\u0065":"queue.finished","#
            + #""col\u006fur":{"a":[1,"}"]},"transaction":"t1","price" : 5}"#
        let opened = #"{"seq":1,"at":"2026-01-01T00:00:00.000Z","type":"log.opened","schema":1}"#
        let ran = replay("explain", "t1", "a", on: TestHost(["a": Logs.text([opened, line])]))
        let unknown = ran.lines.filter { $0.contains("unknown key ") }.map {
            $0.split(separator: "unknown key ")[1]
        }
        #expect(unknown == [#"col\u006fur: {"a":[1,"}"]}"#, "price: 5"])
    }

    @Test func `above a story stand all accounts that it was of`() {
        let timeline = Timeline(
            """
            renewal.started account=ann transaction=t1 original=t1 product=gold expiresAt=2026-03-01
            account.linked account=bob original=t1
            """)
        let ran = replay("explain", "t1", "a", on: TestHost(["a": Logs.text(timeline.lines)]))
        #expect(ran.lines.contains("accounts     ann, bob"))
    }

    @Test func `a key that the log doesn't have is told`() throws {
        let ran = replay("explain", "t9", "a", on: TestHost(["a": Logs.text(Logs.small)]))
        #expect(ran.status == .noInput)
        #expect(ran.error.hasPrefix("replay: no line of a names `t9`"))
    }

    @Test func `explain tells what a finish of a payment finishes`() {
        let timeline = Timeline(
            """
            queue.purchased transaction=t1 payment=p1 product=coins
            delivery.delivered transaction=t1
            queue.finished payment=p1
            """)
        let host = TestHost(["a": Logs.text(timeline.lines)])
        let ran = replay("explain", "t1", "a", on: host)
        #expect(ran.output.contains("transaction: purchased and delivered → finished"))
        #expect(ran.lines.last == "at the end, transaction t1: finished")
    }

    @Test func `a log from a pipe is explained too`() {
        let host = TestHost()
        host.input = Array(Logs.text(Logs.small).utf8)
        let ran = replay("explain", "t1", "-", on: host)
        #expect(ran.output.contains("the app delivered the purchase"))
        #expect(!ran.output.contains("t2"))
    }
}
