import PurchaseEvents
import Testing

@testable import replay

@Suite struct RedactRunTests {
    private static let key = "a key of the tests"
    private static let log = Logs.text(Logs.small)

    private func run(_ arguments: String..., files: [String: String] = [:]) -> Ran {
        let host = TestHost(["k": Self.key, "a": Self.log].merging(files) { _, new in new })
        let status = Tool.run(["redact"] + arguments, on: host)
        return Ran(status: status, output: host.output, error: host.error)
    }

    @Test func `a redacted log gives the same findings about other names`() {
        let ran = run("a", "--key-file=k")
        #expect(ran.status == .well && ran.lines.count == Logs.small.count)
        #expect(ran.error.contains("7 events redacted; removed: 0 texts, 0 unknown keys"))
        let before = replay("check", "a", on: TestHost(["a": Self.log]))
        let after = replay("check", "a", on: TestHost(["a": ran.output]))
        #expect(before.status == .violated && after.status == .violated)
        #expect(before.lines.count == after.lines.count)
        #expect(run("a", "--key-file=k").output == ran.output)
        #expect(run("a", "--key-file=other", files: ["other": Self.key + "2"]).output != ran.output)
    }

    @Test func `products, dates and the chain change where that is asked for`() {
        #expect(run("a", "--key-file=k").output.contains(#""product":"coins""#))
        #expect(!run("a", "--key-file=k", "--products").output.contains("coins"))
        let moved = run("a", "--key-file=k", "--shift=-400")
        #expect(moved.status == .well && moved.output != run("a", "--key-file=k").output)
        let chained = run("a", "--key-file=k", "--chained")
        let verified = replay("verify", "a", on: TestHost(["a": chained.output]))
        #expect(verified.status == .well, "\(verified.error)\(verified.output)")
    }

    @Test func `a line that isn't understood is told and gives status 2`() {
        let ran = run("a", "--key-file=k", files: ["a": Self.log + "Ada\n"])
        #expect(ran.status == .undetermined)
        #expect(ran.lines.last == #"{"type":"redacted"}"#)
        #expect(ran.error.contains("replay: 1 line of a not understood"))
        let empty = run("a", "--key-file=k", files: ["a": "\n"])
        #expect(empty.status == .undetermined)
        #expect(empty.error.contains("a holds no line of a log"))
    }

    @Test func `wrong arguments are refused before anything is read`() {
        func refused(_ arguments: String...) -> String {
            let host = TestHost()
            let status = Tool.run(["redact"] + arguments, on: host)
            #expect(status == .usage && host.output.isEmpty, "\(arguments)")
            return String(host.error.split(separator: "\n").first ?? "")
        }
        #expect(refused("a").contains("needs --key-file=FILE, a file of at least 16 bytes"))
        #expect(refused("--key-file=k").contains("needs a log"))
        #expect(refused("-", "--key-file=-").contains("`-` is given twice"))
        for days in ["x", "1.5", "36501", "-36501", "99999999999999999999"] {
            #expect(
                refused("a", "--key-file=k", "--shift=\(days)").contains(
                    "`--shift`: expected a whole number of days from -36500 to 36500"))
        }
        let two = run("a", "a", "--key-file=k")
        #expect(two.status == .usage && two.output.isEmpty)
        #expect(two.error.contains("expected one log"))
    }

    @Test func `without a key or a log nothing is written`() {
        for (arguments, words) in [
            (["b", "--key-file=k"], "cannot read `b`"),
            (["a", "--key-file=n"], "cannot read `n`"),
            (["a", "--key-file=s"], "--key-file: `s`: expected at least 16 bytes, seen 15"),
        ] {
            let host = TestHost([
                "k": Self.key, "a": Self.log, "s": String(repeating: "s", count: 15),
            ])
            let status = Tool.run(["redact"] + arguments, on: host)
            #expect(status == .noInput && host.output.isEmpty, "\(arguments)")
            #expect(host.error.contains(words), "\(host.error)")
        }
    }
}
