import PurchaseEvents
import PurchaseImport
import Testing

@testable import replay

@Suite struct ImportRowsRunTests {
    private static let table = "when,user,tx\n2026-03-01T09:00:00Z,u,t1\nnever,u,t2\n"
    private static let mapping = """
        {"columns": {"at": "when", "account": "user", "transaction": "tx"},
         "events": [{"type": "delivery.delivered"}]}
        """

    private func run(_ arguments: String..., files: [String: String] = [:]) -> Ran {
        let host = TestHost(
            files.merging(["a.csv": Self.table, "m": Self.mapping]) { one, _ in one })
        let status = Tool.run(["import", "rows"] + arguments, on: host)
        return Ran(status: status, output: host.output, error: host.error)
    }

    @Test func `rows become events of the type, and a bad row gives status 2`() {
        let ran = run(
            "a.csv", "--type=delivery.delivered", "--at=when", "--account=user",
            "--transaction=tx", "--set=quantity=2", "--set=device=server")
        #expect(ran.status == .undetermined)
        #expect(ran.lines.count == 2)
        #expect(
            ran.lines.last?.hasPrefix(
                #"{"seq":2,"at":"2026-03-01T09:00:00.000Z","type":"delivery.delivered","id":""#)
                == true)
        #expect(
            ran.lines.last?.hasSuffix(
                #"","account":"u","device":"server","transaction":"t1","quantity":2}"#) == true)
        #expect(ran.error.hasPrefix("a.csv:3: error: when: expected an RFC 3339 time"))
        #expect(ran.error.contains("replay: 1 file, 2 records: 2 events; 1 error"))
        let mapped = run("a.csv", "--mapping=m")
        #expect(mapped.status == .undetermined && mapped.lines.count == 2)
    }

    @Test func `rows can be chosen by what they hold`() {
        let ran = run(
            "a.csv", "--mapping=m2",
            files: [
                "m2": Self.mapping.replacing(
                    #"{"type": "delivery.delivered"}"#,
                    with: #"{"type": "delivery.delivered", "where": {"tx": "t1"}}"#)
            ])
        #expect(ran.status == .well && ran.lines.count == 2)
        #expect(ran.error.contains("a.csv:1: note: 1 of 2 rows left out"))
        let chosen = run(
            "-", "a.csv", "--type=delivery.delivered", "--at=when", "--transaction=tx",
            "--where=user=u", "--where=tx=t1")
        #expect(chosen.lines.count == 2 && chosen.error.contains("-:1: error: "))
    }

    @Test func `wrong arguments are refused before anything is read`() {
        func refused(_ arguments: String...) -> String {
            let host = TestHost()
            let status = Tool.run(["import", "rows"] + arguments, on: host)
            #expect(status == .usage && host.output.isEmpty, "\(arguments)")
            return String(host.error.split(separator: "\n").first ?? "")
        }
        #expect(refused("a.csv").contains("needs --type=TYPE"))
        #expect(
            refused("a.csv", "--type=delivery.deliverd").contains(
                "did you mean `--type=delivery.delivered`?"))
        #expect(
            refused("a.csv", "--type=delivery.delivered", "--at=when").contains(
                "needs a column or a constant for `transaction`: --transaction=COLUMN or "
                    + "--set=transaction=VALUE"))
        #expect(
            refused("a.csv", "--type=delivery.delivered", "--transaction=tx").contains(
                "expected the time of each row: --at=COLUMN"))
        #expect(
            refused(
                "a.csv", "--type=delivery.delivered", "--transaction=tx", "--at=a", "--price=p"
            ).contains("has no key `price`"))
        #expect(
            refused("a.csv", "--type=app.launched", "--at=a", "--set=at=1").contains(
                "`at` has a column and a constant"))
        #expect(
            refused("a.csv", "--type=app.launched", "--at=a", "--set=devise=x").contains(
                "unknown key `devise`: did you mean `device`?"))
        #expect(
            refused("a.csv", "--type=app.launched", "--at=a", "--set=device").contains(
                "`--set`: expected KEY=VALUE, seen `device`"))
        #expect(
            refused("a.csv", "--type=app.launched", "--at=a", "--where==x").contains(
                "`--where`: expected COLUMN=VALUE"))
        #expect(
            refused("a.csv", "--type=app.launched", "--at=a", "--zone=CET").contains(
                "`--zone`: expected a zone such as +01:00"))
        #expect(
            refused("a.csv", "--mapping=m", "--at=a").contains(
                "`--mapping` and `--at` exclude each other"))
        #expect(refused("-", "--mapping=-").contains("`-` is given twice"))
        #expect(refused("--mapping=m").contains("needs a file"))
        #expect(
            refused("a.csv", "--mapping=m", "--no-verify").contains(
                "`--no-verify` is an option of `replay import app-store`"))
        let other = replay("import", "app-store", "a", "--type=app.launched")
        #expect(other.status == .usage)
        #expect(other.error.contains("`--type` is an option of `replay import rows`"))
    }

    @Test func `a missing file or mapping is no input, and nothing is written`() {
        let missing = run("b.csv", "--mapping=m")
        #expect(missing.status == .noInput && missing.output.isEmpty)
        let unmapped = run("a.csv", "--mapping=n")
        #expect(unmapped.status == .noInput && unmapped.output.isEmpty)
        let bad = run("a.csv", "--mapping=b", files: ["b": "{\"events\":\n1}"])
        #expect(bad.status == .noInput && bad.output.isEmpty)
        #expect(bad.error.contains("--mapping: `b`: events: expected an array of objects"))
        let timeless = run(
            "a.csv", "--mapping=b", files: ["b": #"{"events":[{"type":"app.launched"}]}"#])
        #expect(timeless.status == .noInput)
        #expect(timeless.error.contains("expected a column for `at` in each event"))
    }

    @Test func `each key of the format has an option, which names its column`() {
        let names = Option.rowColumns.map(\.name)
        #expect(names == RowMapping.keys.map(\.wireName))
        for type in RowMapping.types {
            let keys = (EventType.envelope + type.schema).map(\.key.wireName)
            #expect(Set(keys).subtracting(names).isSubset(of: ["seq", "type"]), "\(type.wireName)")
        }
    }
}
