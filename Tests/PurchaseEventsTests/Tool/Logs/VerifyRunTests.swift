import Testing

@testable import replay

/// What `replay verify` prints of texts that could drive a terminal; `Tool/verify.stories` has the
/// rest.
struct VerifyRunTests {
    @Test func `what is no checkpoint and no head is shown escaped`() throws {
        let host = TestHost(["bad": "\u{1B}[31m\nb\n"])
        host.files["a.jsonl"] = try ChainedLog(3).bytes
        let bad = replay("verify", "--checkpoint=bad", "a.jsonl", on: host)
        #expect(bad.status == .noInput)
        #expect(bad.error.hasSuffix("time of log.opened, seen `\\u001b[31m`\n"), "\(bad.error)")
        let head = replay("verify", "--expect-head=\u{1B}0", "a.jsonl", on: TestHost())
        #expect(head.status == .usage)
        #expect(head.error.contains("expected 64 lower-case hex digits, seen `\\u001b0`"))
    }
}
