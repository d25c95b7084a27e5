import Foundation
import PurchaseSimulation
import TestSigning

@testable import PurchaseEvents
@testable import PurchaseImport

/// A receipt made by the tests: two months of a subscription and a refunded consumable.
enum ReceiptSample {
    /// The value of a text attribute, as a UTF8String.
    static func text(_ text: String) -> [UInt8] { DERWriter.element(0x0C, Array(text.utf8)) }

    /// The value of a date attribute, as an IA5String.
    static func date(_ text: String) -> [UInt8] { DERWriter.element(0x16, Array(text.utf8)) }

    static func purchase(
        _ transaction: String, of original: String = "t1", product: String = "monthly",
        kind: Int64 = 3, from: String, to: String? = nil, cancelled: String? = nil,
        more: [(type: Int64, value: [UInt8])] = []
    ) -> [UInt8] {
        TestReceipt.set(
            [
                (1701, DERWriter.integer(1)), (1702, text(product)), (1703, text(transaction)),
                (1704, date("2026-\(from)T00:00:00Z")), (1705, text(original)),
                (1706, date("2026-02-20T01:00:00+0100")), (1707, DERWriter.integer(kind)),
                (1708, date(to.map { "2026-\($0)T00:00:00Z" } ?? "")),
                (1712, date(cancelled.map { "2026-\($0)T00:00:00Z" } ?? "")),
                (1710, DERWriter.integer(9)),
            ] + more)
    }

    /// The attributes of the receipt.
    static var attributes: [(type: Int64, value: [UInt8])] {
        [
            (0, text("Production")), (2, text("com.example.app")), (3, text("1")),
            (12, date("2026-04-01T00:00:00Z")),
            (17, purchase("t2", from: "03-20", to: "04-20")),
            (17, purchase("t1", from: "02-20", to: "03-20", more: [(1719, DERWriter.integer(1))])),
            (
                17,
                purchase(
                    "c1", of: "c1", product: "coins", kind: 1, from: "03-20", cancelled: "03-24")
            ),
        ]
    }

    /// The signed receipt.
    static func message() -> TestReceipt { TestReceipt(attributes: attributes) }

    static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
