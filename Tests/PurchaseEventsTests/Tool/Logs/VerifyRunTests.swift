import Testing

@testable import PurchaseEvents
@testable import replay

/// `replay seal` and `replay verify`.
struct VerifyRunTests {
    private let log: ChainedLog
    private let host = TestHost()

    init() throws {
        log = try ChainedLog(64)
        host.files["a.jsonl"] = log.bytes
        host.files["a.checkpoint"] = Array(log.checkpoint(60).text.utf8)
    }

    private func head(_ line: Int) -> String { log.chains[line].head.hex }

    /// The output of `replay verify` for bytes that replace the log's.
    private func verify(_ bytes: [UInt8], _ options: String...) -> Ran {
        let host = TestHost(bytes: self.host.files)
        host.files["a.jsonl"] = bytes
        return replay(["verify"] + options + ["a.jsonl"], on: host)
    }

    @Test func `what seal prints is what verify takes`() {
        let sealed = replay("seal", "a.jsonl", on: host)
        #expect(sealed.status == .well)
        #expect(sealed.output == "a 2026-02-20T09:00:00.000Z\n64\n\(head(64))\n")
        #expect(sealed.error.isEmpty)
        host.files["b.checkpoint"] = Array(sealed.output.utf8)
        let ran = verify(log.bytes, "--checkpoint=b.checkpoint")
        #expect(ran.status == .well)
        #expect(
            ran.output
                == "a.jsonl: intact: 64 lines, head \(head(64)); nothing was appended since the "
                + "checkpoint\n")
    }

    @Test func `a log that has grown since is intact`() {
        let ran = verify(
            log.bytes, "--checkpoint=a.checkpoint", "--expect-head=\(head(63))", "--threads=2")
        #expect(ran.status == .well)
        #expect(
            ran.output
                == "a.jsonl: intact: 64 lines, head \(head(64)); 4 lines appended since the "
                + "checkpoint, at line 60; 1 line appended since the expected head, at line 63\n")
    }

    @Test func `a log that ends within a line is torn`() {
        let ran = verify(log.bytes.dropLast(9))
        #expect(ran.status == .undetermined)
        #expect(
            ran.output
                == "a.jsonl:64: torn: the log ends within this line; the 63 lines before it are "
                + "intact\n")
        host.files["a.jsonl"] = log.bytes.dropLast(9)
        let sealed = replay("seal", "a.jsonl", on: host)
        #expect(sealed.status == .undetermined)
        #expect(sealed.output == log.checkpoint(63).text)
        #expect(sealed.error.hasPrefix("replay: a.jsonl:64: torn: "))
    }

    @Test func `the first damaged line is named, and why`() {
        var bytes = log.bytes
        bytes[log.lines[0].count + 60] ^= 1
        let ran = verify(bytes, "--checkpoint=a.checkpoint")
        #expect(ran.status == .violated)
        #expect(ran.lines.count == 1)
        #expect(ran.output.hasPrefix("a.jsonl:2: damaged: expected the chain value "))
        #expect(ran.output.hasSuffix("seen \(head(2)); the line before it is intact\n"))
        host.files["a.jsonl"] = bytes
        let sealed = replay("seal", "a.jsonl", on: host)
        #expect(sealed.status == .violated)
        #expect(sealed.output.isEmpty)
        #expect(sealed.error.hasPrefix("replay: a.jsonl:2: damaged: "))
    }

    @Test func `a log that was cut or written anew is rolled back`() throws {
        let cut = log.lines[..<50].allBytes()
        #expect(verify(cut).status == .well, "the control: the chain alone doesn't show it")
        let known = verify(cut, "--checkpoint", "a.checkpoint")
        #expect(known.status == .violated)
        #expect(
            known.output
                == "a.jsonl: rolled back: expected at least the 60 lines of the checkpoint, "
                + "seen 50\n")
        let head = verify(cut, "--expect-head=\(head(64))")
        #expect(head.status == .violated)
        #expect(
            head.output.hasPrefix("a.jsonl: rolled back: expected a line with the chain value "))
        let other = try ChainedLog(64, salt: "x").bytes
        let anew = verify(other, "--checkpoint=a.checkpoint")
        #expect(anew.status == .violated)
        #expect(anew.output.contains(": rolled back: expected the chain value \(self.head(60)) "))
        #expect(verify([], "--checkpoint=a.checkpoint").status == .violated)
    }

    @Test func `an unchained log is told as such`() throws {
        let bytes = try ChainedLog(3, isChained: false).bytes
        let ran = verify(bytes)
        #expect(ran.status == .undetermined)
        #expect(ran.output.hasPrefix("a.jsonl: unchained: no line carries a chain value"))
        #expect(verify(bytes, "--checkpoint=a.checkpoint").status == .violated)
        #expect(verify([]).status == .undetermined)
        host.files["a.jsonl"] = bytes
        let sealed = replay("seal", "a.jsonl", on: host)
        #expect(sealed.status == .undetermined)
        #expect(sealed.output.isEmpty)
    }

    @Test func `a log may come through standard input, and lie in several files`() {
        host.input = log.bytes
        let ran = replay("verify", "--checkpoint=a.checkpoint", "-", on: host)
        #expect(ran.status == .well)
        #expect(ran.output.hasPrefix("-: intact: 64 lines"))
        let host = TestHost(bytes: ["1.jsonl": log.lines[..<20].allBytes()])
        var rest = log.lines[20...]
        rest[41][60] ^= 1
        host.files["2.jsonl"] = rest.allBytes()
        let damaged = replay("verify", "1.jsonl", "2.jsonl", on: host)
        #expect(damaged.status == .violated)
        #expect(damaged.output.hasPrefix("2.jsonl:22: damaged: "))
        #expect(damaged.output.hasSuffix("the 41 lines before it are intact\n"))
    }

    @Test func `several logs are verified one by one, and sealed alone`() throws {
        host.files["b.jsonl"] = try ChainedLog(2, isChained: false).bytes
        let both = replay("verify", "a.jsonl", "b.jsonl", on: host)
        #expect(both.status == .undetermined)
        #expect(
            both.lines.map { $0.split(separator: ":").prefix(2).joined() }
                == ["a.jsonl intact", "b.jsonl unchained"])
        for arguments in [
            ["seal", "a.jsonl", "b.jsonl"],
            ["verify", "--checkpoint=a.checkpoint", "a.jsonl", "b.jsonl"],
        ] {
            let host = TestHost(bytes: self.host.files)
            #expect(Tool.run(arguments, on: host) == .usage)
            #expect(host.error.contains("expected one log, seen 2"))
        }
    }

    @Test func `what is no checkpoint and no head is refused before a log is read`() {
        host.files["bad"] = Array("a\n\u{1B}[31m\n".utf8)
        let bad = replay("verify", "--checkpoint=bad", "a.jsonl", on: host)
        #expect(bad.status == .noInput)
        #expect(
            bad.error
                == "replay: `bad` is not a checkpoint, three lines as `replay seal` prints "
                + "them: line 1: expected the app and the time of log.opened, seen `a`\n")
        // A log, however large, is not a checkpoint.
        for bytes in [log.bytes, Array(repeating: log.bytes, count: 20).allBytes()] {
            let host = TestHost(bytes: ["a.jsonl": log.bytes, "log": bytes])
            let wrong = replay("verify", "--checkpoint=log", "a.jsonl", on: host)
            #expect(wrong.status == .noInput)
            #expect(wrong.error.contains("`log` is not a checkpoint, three lines as"))
            #expect(wrong.error.contains(": line 1: expected "))
            #expect(wrong.error.contains(#", seen `{"seq":1,"at":"2026-02-20T09"#))
        }
        let head = replay("verify", "--expect-head=\u{1B}0", "a.jsonl", on: TestHost())
        #expect(head.status == .usage)
        #expect(head.error.contains("expected 64 lower-case hex digits, seen `\\u001b0`"))
        #expect(replay("verify", "--checkpoint=-", "-").status == .usage)
        #expect(replay("verify").status == .usage)
    }
}
