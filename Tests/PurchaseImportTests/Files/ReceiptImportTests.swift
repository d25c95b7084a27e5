import Foundation
import TestSigning
import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// PKCS #7 receipts: DER, base64, within other documents.
struct ReceiptImportTests {
    private func imported(
        _ files: [[UInt8]], _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportResult {
        let roots = try TestChain.receipt.roots
        return try PurchaseImportTests.imported(
            files.enumerated().map { ImportFile(name: "\($0)", bytes: $1) },
            { options in
                options.roots = roots
                change(&options)
            })
    }

    @Test func `a receipt is a snapshot of its purchases`() throws {
        let bytes = ReceiptSample.message().bytes
        let result = try imported([bytes])
        let receipt = SHA256.shortHex(bytes)
        let said = try result.said()
        #expect(said.first == "receipt.refreshed,receipt:\(receipt)")
        let first =
            "receipt.listed,receipt:\(receipt),transaction:t1,original:t1,product:monthly,"
            + "kind:autoRenewable,quantity:1,purchasedAt:2026-02-20T00:00:00.000Z,"
            + "originalPurchasedAt:2026-02-20T00:00:00.000Z,"
            + "expiresAt:2026-03-20T00:00:00.000Z,offer:introductory"
        #expect(said.dropFirst().first == first)
        let last: [String] = [
            "receipt.validated,receipt:\(receipt),outcome:valid",
            "cancellation.refunded,transaction:c1,original:c1,"
                + "cancelledAt:2026-03-24T00:00:00.000Z",
        ]
        #expect(Array(said.suffix(2)) == last)
        #expect(result.events.dropFirst().allSatisfy { $0.signedAt == day("4-1") })
        #expect(
            result.events.first?.fact
                == .logOpened(.init(schema: 1, app: "com.example.app", writer: "replay import")))
        #expect(result.isComplete && result.rows.count == 3)
        #expect(try Checking.problems(in: result.log).isEmpty)
    }

    @Test func `a cancellation at the purchase of another plan of its subscription is an upgrade`()
        throws
    {
        func said(_ next: String, on start: String) throws -> [String] {
            let receipt = TestReceipt(attributes: [
                (12, ReceiptSample.date("2026-04-01T00:00:00Z")),
                (
                    17,
                    ReceiptSample.purchase("t1", from: "02-20", to: "03-20", cancelled: "03-01")
                ),
                (17, ReceiptSample.purchase("t2", product: next, from: start, to: "04-01")),
            ])
            let said = try imported([receipt.bytes]) { $0.verifies = false }.said()
            return said.filter { $0.contains("upgraded:true") || $0.hasPrefix("cancellation") }
        }
        let upgraded = try said("gold", on: "03-01")
        #expect(upgraded.count == 1 && upgraded[0].hasPrefix("receipt.listed"))
        for (next, start) in [("monthly", "03-01"), ("gold", "03-02")] {
            #expect(try said(next, on: start).allSatisfy { $0.hasPrefix("cancellation.refunded") })
        }
    }

    @Test func `base64, also in lines, is the same receipt`() throws {
        let bytes = ReceiptSample.message().bytes
        let alone = try imported([bytes])
        let line = ReceiptSample.base64(bytes)
        let split = Data(bytes).base64EncodedString(options: .lineLength76Characters)
        let spaced = split.replacing("\n", with: " \t\n  ")
        for text in [
            line, line + "\n", line + "  ", split, spaced, "\"\(line)\"", "[\"\(line)\"]",
            split + "\r\n",
        ] {
            #expect(try imported([Array(text.utf8)]).log == alone.log)
        }
        var other = ReceiptSample.message()
        other.content = TestReceipt.set(ReceiptSample.attributes.filter { $0.type != 3 })
        let two = try imported([Array((line + "\n" + ReceiptSample.base64(other.bytes)).utf8)])
        #expect(two.tally.kinds == [.receipt: 2] && two.rows.count == 6)
    }

    @Test func `an invalid receipt is told, and nothing that it states`() throws {
        var bytes = ReceiptSample.message().bytes
        bytes[bytes.count - 1] ^= 1
        let result = try imported([bytes])
        #expect(
            try result.said() == [
                "receipt.validated,receipt:\(SHA256.shortHex(bytes)),outcome:invalid"
            ])
        #expect(result.remarks(.error).count == 1)
        let unverified = try imported([bytes]) { $0.verifies = false }
        #expect(unverified.rows.count == 3 && unverified.isComplete)
        #expect(unverified.events.allSatisfy { $0.type != .receiptValidated })
    }

    @Test func `receipts within documents are opened when asked for`() throws {
        let line = ReceiptSample.base64(ReceiptSample.message().bytes)
        let request = (["receipt-data": line, "password": "p"] as Payload).json
        let closed = try imported([Array(request.utf8)])
        #expect(closed.events.isEmpty && closed.isComplete && closed.tally.unplaced.count == 1)
        let open = try imported([Array(request.utf8)]) { $0.opensReceipts = true }
        #expect(open.rows.count == 3)
        #expect([open.text, open.remarks.description].allSatisfy { !$0.contains("\"p\"") })
    }

    @Test func `repeated attributes count last, and what is no purchase is told`() throws {
        let attributes =
            ReceiptSample.attributes + [
                (2, ReceiptSample.text("zz.example.app9")),
                (17, TestReceipt.set([(1702, ReceiptSample.text("p"))])),
            ]
        let receipt = TestReceipt(attributes: attributes)
        let result = try imported([receipt.bytes])
        #expect(
            result.events.first?.fact
                == .logOpened(.init(schema: 1, app: "zz.example.app9", writer: "replay import")))
        #expect(result.remarks(.note).count == 1 && result.remarks(.error).count == 1)
        #expect(result.rows.count == 3)
    }

    @Test func `a content that is no SET is an error with its place`() throws {
        for content in [
            [0x31, 0x85, 1, 2, 3, 4, 5], [0x31, 0x03, 0x30, 0x09, 0x02], [0x02, 0x01, 0x00], [],
        ]
            as [[UInt8]]
        {
            let result = try imported([TestReceipt(content: content).bytes])
            #expect(result.events.isEmpty)
            #expect(result.remarks(.error).first?.contains("invalid receipt: byte ") == true)
        }
    }
}
