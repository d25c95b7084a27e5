import Testing

@testable import replay

@Suite struct ChangesCommandTests {
    private static let refund = "events/valid/refund.jsonl"

    @Test func `each change names its line, its row and the keys that changed`() throws {
        let ran = replay(
            "changes", "entitlements", Self.refund, "--format=json",
            on: try TestHost.samples("valid"))
        #expect(ran.status == .well)
        #expect(ran.lines.count == 4)
        #expect(
            ran.lines.last?.hasSuffix(#""before":{"granted":true},"after":{"granted":false}}"#)
                ?? false)
        #expect(ran.lines[0].hasPrefix(#"{"line":8,"seq":8,"at":"2026-03-02T09:00:54.010Z","#))
        #expect(!ran.lines[0].contains("\"before\""))
    }

    @Test func `people read what happened and what it changed`() throws {
        let ran = replay(
            "changes", "entitlements", Self.refund, on: try TestHost.samples("valid"))
        #expect(ran.output.contains("  10  2026-03-02 09:00:56  the app delivered the purchase\n"))
        #expect(ran.output.contains("\n          active: true → false\n"))
    }

    @Test func `an account has changes of its own, and an unknown one is told`() throws {
        let log = "events/valid/two-accounts-on-one-device.jsonl"
        let all = replay(
            "changes", "entitlements", log, "--format=json", on: try TestHost.samples("valid"))
        let account = try #require(
            all.lines[0].split(separator: "\"account\":\"").last?.split(separator: "\"").first)
        let own = replay(
            "changes", "entitlements", log, "--format=json", "--account=\(account)",
            on: try TestHost.samples("valid"))
        #expect(own.lines == all.lines.filter { $0.contains(account) })
        #expect(!own.lines.isEmpty && own.lines.count < all.lines.count)
        let none = replay(
            "changes", "entitlements", log, "--account=nobody",
            on: try TestHost.samples("valid"))
        #expect(none.output.isEmpty)
        #expect(none.error.contains("no line names the account `nobody`"))
    }

    @Test func `a period that is over shows at the first line recorded after its end`() {
        let log = """
            {"seq":1,"at":"2026-03-01T09:00:00.000Z","type":"log.opened","schema":1}
            {"seq":2,"at":"2026-03-01T09:00:01.000Z","type":"renewal.started","account":"a",\
            "transaction":"t","original":"t","product":"p",\
            "purchasedAt":"2026-03-01T09:00:00.000Z","expiresAt":"2026-04-01T09:00:00.000Z"}
            {"seq":3,"at":"2026-04-01T08:59:59.999Z","type":"app.launched"}
            {"seq":4,"at":"2026-04-02T09:00:00.000Z","type":"app.launched"}

            """
        let ran = replay("changes", "entitlements", "-", on: TestHost(input: log))
        #expect(ran.output.contains("   4  2026-04-02 09:00:00  the app was launched\n"))
        #expect(ran.output.contains("active: true → false"))
        let then = replay(
            "changes", "entitlements", "-", "--as-of=2026-03-02", "--format=json",
            on: TestHost(input: log))
        #expect(then.lines.count == 1)
    }

    @Test(arguments: [
        (["changes"], "needs a projection"),
        (["changes", "entitlement", "L"], "did you mean `entitlements`?"),
        (["changes", "all", "L"], "unknown projection `all`"),
        (["changes", "pending"], "needs a log"),
        (["changes", "pending", "L", "--until-seq=0"], "expected a whole number"),
    ])
    func `wrong arguments are refused`(arguments: [String], words: String) {
        let host = TestHost()
        #expect(Tool.run(arguments, on: host) == .usage)
        #expect(host.error.contains(words), "\(host.error)")
        #expect(host.output.isEmpty)
    }

    @Test func `a log that isn't there, and one with bad lines`() {
        #expect(replay("changes", "pending", "nowhere.jsonl").status == .noInput)
        let ran = replay("changes", "pending", "-", on: TestHost(input: "not json\n"))
        #expect(ran.status == .undetermined)
        #expect(ran.output.isEmpty)
    }
}
