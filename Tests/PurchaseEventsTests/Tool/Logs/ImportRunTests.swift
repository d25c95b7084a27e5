import Foundation
import PurchaseEvents
import Testing

@testable import replay

@Suite struct ImportRunTests {
    @Test func `what can't be mapped is told and gives status 2`() {
        let ran = replay("import", "app-store", "a", on: TestHost(["a": "{}"]))
        #expect(ran.status == .undetermined)
        #expect(ran.output.isEmpty)
        #expect(ran.error.hasPrefix("a:1: error: "))
        let warned = replay("import", "app-store", "a", on: TestHost(["a": #"{"status":"x"}"#]))
        #expect(warned.status == .undetermined)
        #expect(warned.error.hasPrefix("a:1: warning: status: expected an integer"))
        // An unknown key or a missing date is a note, and the status stays 0.
        let noted = #"{"status":21000,"receipt":{"new_key":1}}"#
        let well = replay("import", "app-store", "a", on: TestHost(["a": noted]))
        #expect(well.status == .well)
        #expect(well.error.contains("a:1: note: ") && !well.error.contains(": warning: "))
    }

    @Test func `a secret's file that is too large holds something else`() {
        let host = TestHost(["s": String(repeating: "s", count: (64 << 10) + 1), "a": "{}"])
        let secret = replay("import", "app-store", "a", "--shared-secret-file=s", on: host)
        #expect(secret.error.hasSuffix("65,536 bytes; name a file that holds only the secret\n"))
    }

    private static let transaction = """
        {"transactionId":"t","productId":"p","purchaseDate":1773964800000,"type":"Consumable",\
        "environment":"Production","storefront":"DEU","signedDate":1773964800000}
        """

    @Test func `what each file was taken for is told, and totals`() {
        let ran = replay(
            "import", "app-store", "a", "b", on: TestHost(["a": Self.transaction, "b": "{}"]))
        #expect(ran.status == .undetermined)
        let lines = ran.error.split(separator: "\n")
        #expect(lines.first == "replay: a: 1 transaction; signatures: 1 unchecked")
        #expect(lines.dropFirst().first?.hasPrefix("b:1: error: expected App Store data") == true)
        #expect(
            lines.contains(
                "replay: note: transactions contain data that the log can't record: "
                    + "storefront (1)"))
        let total =
            "replay: 2 files, 2 records: 2 events; 1 error, 0 warnings, 0 notes; 0.012 s"
        #expect(lines.last.map { String($0) } == total)
    }

    @Test func `of a folder every file is imported, by name`() {
        let host = TestHost([
            "d/b.json": Self.transaction, "d/a": Self.transaction, "d/.hidden": "x",
            "d/inner/c": Self.transaction,
        ])
        let ran = replay("import", "app-store", "d", on: host)
        #expect(ran.status == .well)
        #expect(ran.error.hasPrefix("replay: d/a: 1 transaction"))
        #expect(ran.error.contains("replay: d/b.json: 1 transaction"))
        #expect(ran.error.contains("note: 2 repeated statements, each recorded once"))
        host.unreadable = ["d/a"]
        let missed = replay("import", "app-store", "d", on: host)
        #expect(missed.status == .noInput && !missed.output.isEmpty)
    }

    @Test func `the life of a purchase tells the notification that stated it`() {
        let refund = """
            {"notificationType":"CONSUMPTION_REQUEST","notificationUUID":"n1","version":"2.0",\
            "signedDate":1773964900000,"data":{"environment":"Production","bundleId":"a.b",\
            "signedTransactionInfo":"\(Self.unsigned(Self.transaction))"}}
            """
        let host = TestHost(["a": refund])
        #expect(replay("import", "app-store", "a", "--no-verify", on: host).status == .well)
        let told = TestHost()
        told.input = host.outputBytes
        let ran = replay("explain", "t", "-", on: told)
        #expect(ran.output.contains("the user asked for a refund"))
        #expect(ran.output.contains("notification n1"))
    }

    /// A compact JWS that nobody signed.
    private static func unsigned(_ payload: String) -> String {
        ["{}", payload, "signature"].map { part in
            Data(part.utf8).base64EncodedString().replacing("=", with: "")
                .replacing("+", with: "-").replacing("/", with: "_")
        }.joined(separator: ".")
    }

    @Test func `options say what is verified and expected`() {
        let host = TestHost(["a": Self.transaction, "root": "no certificate"])
        let both = replay(
            "import", "app-store", "a", "--root=root", "--no-verify", on: host)
        #expect(both.status == .usage)
        let root = replay("import", "app-store", "a", "--root=root", on: host)
        #expect(root.status == .noInput && root.error.contains("--root: `root`: "))
        let other = replay("import", "app-store", "a", "--as=storekit", on: host)
        #expect(other.status == .well || other.status == .undetermined)
        let kind = replay("import", "app-store", "a", "--as=storekid", on: host)
        #expect(kind.status == .usage && kind.error.contains("storekit"))
    }

    @Test func `files that can't be read are told`() {
        let missing = replay("import", "app-store", "a")
        #expect(missing.status == .noInput)
        let secret = replay(
            "import", "app-store", "a", "--shared-secret-file=s",
            on: TestHost(["a": "{}", "s": "\n"]))
        #expect(secret.error == "replay: `s` is empty: expected the shared secret\n")
    }
}
