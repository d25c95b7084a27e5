import Testing

@testable import replay

struct ImportRunTests {
    @Test func `a secret's file that is too large holds something else`() {
        let host = TestHost(["s": String(repeating: "s", count: (64 << 10) + 1), "a": "{}"])
        let secret = replay("import", "app-store", "a", "--shared-secret-file=s", on: host)
        #expect(secret.error.hasSuffix("65,536 bytes; name a file that holds only the secret\n"))
    }

    private static let transaction = """
        {"transactionId":"t","productId":"p","purchaseDate":1773964800000,"type":"Consumable",\
        "environment":"Production","signedDate":1773964800000}
        """

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
}
