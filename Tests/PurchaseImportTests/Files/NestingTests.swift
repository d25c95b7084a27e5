import PurchaseSimulation
import TestSigning
import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// Values in values: one limit counts, however the values are wrapped, and what comes after a value
/// without an end is read.
struct NestingTests {
    private func wrapped(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        (0..<count).reduce(bytes) { bytes, _ in DERWriter.octets(bytes) }
    }

    private func imported(_ receipt: TestReceipt) throws -> ImportResult {
        try PurchaseImportTests.imported([ImportFile(name: "0", bytes: receipt.bytes)]) {
            $0.verifies = false
        }
    }

    @Test func `a receipt in a few strings is read, and one in many is an error`() throws {
        let sample = ReceiptSample.message()
        for count in [0, 1, 2, 15] {
            let receipt = TestReceipt(content: wrapped(sample.content, count))
            let result = try imported(receipt)
            #expect(result.rows.count == 3, "\(count): \(result.printed)")
        }
        for count in [32, 33, 2_000] {
            var receipt = TestReceipt(content: wrapped(sample.content, count))
            receipt.isSigned = false
            let result = try imported(receipt)
            #expect(result.events.isEmpty)
            #expect(result.printed.joined().contains("nested more than 32 deep"))
        }
    }

    @Test func `the strings of a purchase are as deep as they are in the receipt`() throws {
        let purchase = ReceiptSample.purchase("t1", from: "02-20", to: "03-20")
        for (count, isRead) in [(0, true), (10, true), (25, false), (2_000, false)] {
            var receipt = TestReceipt(attributes: [
                (12, ReceiptSample.date("2026-04-01T00:00:00Z")), (17, wrapped(purchase, count)),
            ])
            receipt.isSigned = false
            let result = try imported(receipt)
            #expect(result.rows.count == (isRead ? 1 : 0), "\(count)")
            #expect(result.printed.joined().contains("nested more than 32 deep") == !isRead)
        }
    }

    private static let good =
        """
        {"transactionId":"t1","productId":"p","purchaseDate":1771578000000}
        """

    private func errors(_ result: ImportResult) -> [ImportRemark] {
        result.remarks.filter { $0.level == .error }
    }

    @Test func `a byte that isn't UTF-8 is the problem of its own line`() throws {
        let bytes = Array("{\"a\":[\"".utf8) + [0xFF] + Array("\",\n{\"b\":[\n".utf8)
        let result = try PurchaseImportTests.imported([
            ImportFile(name: "0", bytes: bytes + Array(Self.good.utf8))
        ])
        #expect(errors(result).map(\.place.line) == [1, 2])
        #expect(result.rows.count == 1)
    }

    @Test func `a value that is nested too deep costs all its lines`() throws {
        let deep = String(repeating: "{\"a\":\n", count: 129)
        let result = try PurchaseImportTests.imported(deep + "1}\n\(Self.good)\n")
        #expect(errors(result).map(\.place.line) == [129])
        #expect(result.rows.count == 1)
    }
}
