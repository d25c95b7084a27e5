import PurchaseEvents
import Testing

@testable import replay

/// App Store data where a log is expected, imports of test data, and rows for spreadsheets.
@Suite struct DocumentInputTests {
    private static let transaction = """
        {"transactionId":"t","productId":"p","purchaseDate":1773964800000,"type":"Non-Consumable",\
        "environment":"Sandbox","signedDate":1773964800000,"appTransactionId":"704"}
        """

    @Test func `App Store data is no log, and the command that imports it is told`() {
        for command in ["check", "stats", "verify"] {
            let ran = replay(command, "a", on: TestHost(["a": Self.transaction + "\n"]))
            #expect(ran.status == .undetermined, "\(command)")
            #expect(ran.output.isEmpty, "\(command)")
            #expect(
                ran.error.hasPrefix(
                    "replay: a is a transaction, not a log: `replay import app-store a | replay "
                        + "check -` makes a log of it and checks the log\n"), "\(ran.error)")
        }
    }

    @Test func `an import of a test environment shows its entitlements`() {
        let host = TestHost(["a": Self.transaction])
        let log = replay("import", "app-store", "--no-verify", "a", on: host)
        #expect(log.lines.first?.contains(#""environment":"sandbox","schema":1"#) == true)
        #expect(log.error.contains("1 transaction names a customer (appTransactionId)"))
        let shown = replay(
            "show", "entitlements", "--format=csv", "-", on: TestHost(input: log.output))
        #expect(
            shown.output
                == "product,kind,active,from,because,transaction,original,granted\r\n"
                + "p,nonConsumable,true,2026-03-20T00:00:00.000Z,purchase,t,t,false\r\n")
    }

    @Test func `the account of an import can be the customer`() {
        let ran = replay(
            "import", "app-store", "--no-verify", "--account=customer", "a",
            on: TestHost(["a": Self.transaction]))
        #expect(ran.lines.last?.contains(#""account":"704""#) == true)
        #expect(!ran.error.contains("appTransactionId"))
        let wrong = replay("import", "app-store", "--account=user_id", "a", on: TestHost())
        #expect(wrong.status == .usage)
    }

    @Test func `entitlements of another environment alone are told`() {
        let lines = [
            #"{"seq":1,"at":"2026-01-01T00:00:00.000Z","type":"log.opened","schema":1}"#,
            #"{"seq":2,"at":"2026-01-01T00:00:00.000Z","type":"receipt.listed","#
                + #""environment":"sandbox","transaction":"t","product":"p","#
                + #""purchasedAt":"2026-01-01T00:00:00.000Z"}"#,
        ]
        let host = TestHost(["a": lines.joined(separator: "\n") + "\n"])
        let ran = replay("show", "entitlements", "a", on: host)
        #expect(ran.output.isEmpty && ran.status == .well)
        #expect(
            ran.error.contains(
                "a: note: no entitlements: the log's environment is production, and its purchases "
                    + "are of sandbox, which grants nothing there"))
    }

    @Test func `a cell with a comma or a quote is quoted, a list is JSON`() throws {
        let host = try TestHost.samples("valid")
        let path = "events/valid/billing-retry-recovered.jsonl"
        let ran = replay("show", "subscriptions", "--format=csv", path, on: host)
        let lines = ran.output.split(separator: "\r\n")
        #expect(lines.count == 2)
        #expect(lines[1].contains(#""[{""product"":""#))
        let several = replay("show", "all", "--format=csv", path, on: host)
        #expect(several.status == .usage)
    }

    @Test func `rows are read as their columns say`() {
        let text =
            "tx,sku,at,price,gone\n1,p,2026-05-01 08:00:00,4.99,\n"
            + "2,p,2026-05-02 08:00:00,0,2026-05-09\n"
        let host = TestHost(["a.csv": text])
        let listed = replay(
            "import", "rows", "a.csv", "--type=receipt.listed", "--at=at", "--purchasedAt=at",
            "--transaction=tx", "--product=sku", "--price=price", "--amounts=units", "--zone=Z",
            "--where=gone=", on: host)
        #expect(listed.lines.count == 2 && listed.lines[1].contains(#""price":4990"#))
        let refunds = replay(
            "import", "rows", "a.csv", "--type=cancellation.refunded", "--at=gone",
            "--cancelledAt=gone", "--transaction=tx", "--zone=Z", "--where=gone!=",
            on: TestHost(["a.csv": text]))
        #expect(refunds.lines.count == 2 && refunds.lines[1].contains(#""transaction":"2""#))
        #expect(refunds.status == .well)
    }
}
