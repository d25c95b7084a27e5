import Foundation
import PurchaseEvents
import TestSigning
import TestSupport
import Testing

@testable import PurchaseImport

/// The sample data for reconciliation, `events/reconcile`: test keys sign the notifications, and
/// their root is beside them.
struct ReconcileSampleTests {
    private static let folder = Folders.events.appending(path: "reconcile")

    /// A purchase that notifications are about.
    private struct Sale {
        var number: Int
        var account: String
        var product: String
        var type: String
        var price: Int
        var purchasedAt: String
        var original: Int?
        var expiresAt: String?
        var refundedAt: String?
    }

    private static let monthly = "Auto-Renewable Subscription"

    private static let sales = [
        Sale(
            number: 101, account: "6f1c2a9e-0b7d-4c51-9a3e-2d8f5b6c7a01", product: "pro",
            type: "Non-Consumable", price: 29_990, purchasedAt: "2026-03-02T10:00:12.000Z"),
        Sale(
            number: 102, account: "1d4e7c20-93ab-4f6e-b2d8-71c05e9a6402", product: "coins.500",
            type: "Consumable", price: 9_990, purchasedAt: "2026-03-03T19:00:52.000Z"),
        Sale(
            number: 103, account: "b83d7f40-5e2a-4d19-8c6b-90a1e2f3d403", product: "pro",
            type: "Non-Consumable", price: 29_990, purchasedAt: "2026-03-05T18:11:02.000Z",
            refundedAt: "2026-03-09T16:20:00.000Z"),
        Sale(
            number: 104, account: "40fa8b6d-2c7e-4e03-9f51-c6d8a7b30904", product: "monthly",
            type: monthly, price: 4_990, purchasedAt: "2026-03-02T08:00:52.000Z",
            expiresAt: "2026-04-02T08:00:52.000Z"),
        Sale(
            number: 105, account: "40fa8b6d-2c7e-4e03-9f51-c6d8a7b30904", product: "monthly",
            type: monthly, price: 4_990, purchasedAt: "2026-04-02T08:00:52.000Z", original: 104,
            expiresAt: "2026-05-02T08:00:52.000Z"),
        Sale(
            number: 106, account: "e5907a3b-6d12-4b8c-a4f7-0c93d1e82505", product: "pro",
            type: "Non-Consumable", price: 29_990, purchasedAt: "2026-03-04T12:30:00.000Z",
            refundedAt: "2026-03-06T09:40:00.000Z"),
    ]

    /// A time in milliseconds since 1970.
    private static func milliseconds(_ text: String, plus seconds: Int64 = 0) -> Int64 {
        (Timestamp(text)?.milliseconds ?? 0) + seconds * 1_000
    }

    /// The body of a notification about a sale, and its signing time.
    private static func body(
        _ name: String, _ subtype: String?, of sale: Sale, at signed: Int64
    ) -> (signed: Int64, text: String) {
        let chain = TestChain.payload
        let id = 2_000_000_000_000_000 + sale.number
        let original = 2_000_000_000_000_000 + (sale.original ?? sale.number)
        var fields = [
            #""transactionId":"\#(id)""#, #""originalTransactionId":"\#(original)""#,
            #""bundleId":"com.example.reader""#,
            #""productId":"com.example.reader.\#(sale.product)""#, #""type":"\#(sale.type)""#,
            #""purchaseDate":\#(milliseconds(sale.purchasedAt))"#, #""quantity":1"#,
            #""inAppOwnershipType":"PURCHASED""#, #""appAccountToken":"\#(sale.account)""#,
            #""price":\#(sale.price)"#, #""currency":"EUR""#, #""environment":"Production""#,
            #""signedDate":\#(signed)"#,
        ]
        if let expires = sale.expiresAt {
            fields += [
                #""subscriptionGroupIdentifier":"reader""#,
                #""expiresDate":\#(milliseconds(expires))"#,
            ]
        }
        if name == "REFUND", let refunded = sale.refundedAt {
            fields += [#""revocationDate":\#(milliseconds(refunded))"#, #""revocationReason":0"#]
        }
        let transaction = chain.jws("{\(fields.joined(separator: ","))}")
        let uuid = "7c0f5d1e-0000-4000-8000-\(String(signed).suffix(9))\(sale.number)"
        let said = subtype.map { #""subtype":"\#($0)","# } ?? ""
        let payload = chain.jws(
            #"{"notificationType":"\#(name)",\#(said)"notificationUUID":"\#(uuid)","#
                + #""version":"2.0","signedDate":\#(signed),"data":{"environment":"Production","#
                + #""bundleId":"com.example.reader","signedTransactionInfo":"\#(transaction)"}}"#)
        return (signed, #"{"signedPayload":"\#(payload)"}"# + "\n")
    }

    /// The capture: one body a line, in the order of signing.
    private static func capture() -> String {
        var bodies: [(signed: Int64, text: String)] = []
        for sale in sales {
            let isRenewal = sale.original != nil
            let name =
                sale.expiresAt == nil ? "ONE_TIME_CHARGE" : isRenewal ? "DID_RENEW" : "SUBSCRIBED"
            bodies.append(
                body(
                    name, name == "SUBSCRIBED" ? "INITIAL_BUY" : nil, of: sale,
                    at: milliseconds(sale.purchasedAt, plus: 4)))
            guard let refunded = sale.refundedAt else { continue }
            bodies.append(body("REFUND", nil, of: sale, at: milliseconds(refunded, plus: 9)))
        }
        return bodies.sorted { $0.signed < $1.signed }.map(\.text).joined()
    }

    @Test func `the notifications and their root are those of the tests' keys`() throws {
        for (name, text) in [
            ("notifications.jsonl", Self.capture()),
            ("root.pem", String(decoding: TestChain.payload.rootPEM, as: UTF8.self)),
        ] {
            let file = Self.folder.appending(path: name)
            #expect(try GoldenFile.text(at: file, for: text) == text, "\(name)")
        }
    }

    @Test func `the samples import without a remark`() throws {
        func file(_ name: String) throws -> ImportFile {
            let bytes = try Data(contentsOf: Self.folder.appending(path: name))
            return ImportFile(name: name, bytes: Array(bytes))
        }
        let capture = try imported([try file("notifications.jsonl")]) { options in
            options.roots = (try? TestChain.payload.roots) ?? options.roots
        }
        #expect(capture.isComplete, "\(capture.printed)")
        #expect(capture.tally.signatures == [.valid: 16])
        let mapping = try RowMapping(json: try file("grants.json").bytes)
        let grants = try importedRows([try file("grants.csv")], mapping)
        #expect(grants.printed.isEmpty && grants.events.count == 6)
        let device = try file("device.jsonl").bytes
        let decoder = LineDecoder()
        for line in device.split(separator: 0x0A) {
            let decoded = line.withUnsafeBytes { decoder.decodeWritten($0) }
            guard case .event(let event) = decoded else {
                Issue.record("\(decoded)")
                continue
            }
            #expect(try LineWriter.line(of: event) == Array(line))
        }
    }
}
