import PurchaseEvents

extension GrowthShape {
    /// Inputs to import.
    static let imports =
        [
            rows("rows") { "2026-01-01T00:00:00Z,6f9619ff,t\($0)" },
            rows("rows-of-one-transaction") { _ in "2026-01-01T00:00:00Z,6f9619ff,t" },
            rows("rows-of-many-accounts") { "2026-01-01T00:00:00Z,a\($0),t\($0)" },
            rows("rows-without-a-time") { "yesterday,6f9619ff,t\($0)" },
            rows("rows-with-stray-quotes", count: 10_000) { _ in "a\"b,\"c" },
            rows("rows-of-separators") { _ in String(repeating: ",", count: 50) },
        ] + [
            receipt("receipt-rows", count: 2_000, "in_app") { transaction($0, of: $0) },
            receipt("receipt-rows-of-one-line", count: 2_000, "in_app") { transaction($0, of: 1) },
            receipt("receipt-rows-of-one-transaction", count: 2_000, "in_app") { _ in
                transaction(1, of: 1)
            },
            receipt("pending-renewals", count: 2_000, "pending_renewal_info") {
                #"{"original_transaction_id":"\#($0)","product_id":"p","auto_renew_status":"1"}"#
            },
            GrowthShape("receipts", .appStore, count: 2_000) { count in
                (1...count).map {
                    "{\"status\":0,\"receipt\":{\"in_app\":[\(transaction($0, of: 1))]}}"
                }
                .joined(separator: "\n")
            },
            GrowthShape("table-of-documents", .appStore, count: 2_000) { count in
                "id,raw\n" + (1...count).map { "\($0),\"\(signed($0, quote: "\"\""))\"\n" }.joined()
            },
            GrowthShape("table-of-many-columns", .appStore, count: 2_000) { count in
                (1...count).map { "c\($0)" }.joined(separator: ",") + ",raw\n"
                    + String(repeating: ",", count: count) + "\"\(signed(1, quote: "\"\""))\"\n"
            },
            GrowthShape("envelope-of-many-members", .appStore, count: 2_000) { count in
                "{" + (1...count).map { "\"m\($0)\":{\"a\":{\"b\":\($0)}}," }.joined()
                    + "\"body\":\(signed(1))}"
            },
            GrowthShape("page-of-decoded-transactions", .appStore, count: 2_000) { count in
                let all = (1...count).map { signed($0) }.joined(separator: ",")
                return "{\"signedTransactions\":[\(all)]}"
            },
        ]

    /// The payload of a signed transaction.
    private static func signed(_ number: Int, quote: String = "\"") -> String {
        #"{"transactionId":"\#(number)","productId":"p","purchaseDate":1767225600000,"#
            .appending(#""signedDate":1767225600000,"environment":"Production"}"#)
            .replacing("\"", with: quote)
    }

    /// Rows in CSV.
    private static func rows(
        _ name: String, count: Int = 4_000, _ row: @escaping @Sendable (Int) -> String
    ) -> GrowthShape {
        GrowthShape(name, .rows, count: count) { count in
            "at,account,transaction\n" + (1...count).map { row($0) + "\n" }.joined()
        }
    }

    /// A response of verifyReceipt with many elements of one array.
    private static func receipt(
        _ name: String, count: Int, _ key: String, _ element: @escaping @Sendable (Int) -> String
    ) -> GrowthShape {
        GrowthShape(name, .appStore, count: count) { count in
            let all = "\"\(key)\":[\((1...count).map(element).joined(separator: ","))]"
            return key == "in_app"
                ? "{\"status\":0,\"receipt\":{\(all)}}"
                : "{\"status\":0,\"receipt\":{\"in_app\":[]},\(all)}"
        }
    }

    /// A row of a receipt.
    private static func transaction(_ number: Int, of original: Int) -> String {
        #"{"product_id":"p","transaction_id":"\#(number)","#
            + #""original_transaction_id":"\#(original)","quantity":"1","#
            + #""purchase_date_ms":"1767225600000","expires_date_ms":"1769904000000"}"#
    }
}
