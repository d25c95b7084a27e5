import Foundation
import PurchaseSignatures
import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// Every document in the shared folders, unchanged.
@Suite(.enabled(if: Fixtures.exist("transactions"), "\(Fixtures.missing)"))
struct SourceFixtureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var kind: ImportKind
        var events: Int
        /// The first error, if not everything can be imported.
        var error: String?

        init(_ path: String, _ kind: ImportKind, _ events: Int, _ error: String? = nil) {
            testDescription = path
            self.kind = kind
            self.events = events
            self.error = error
        }
    }

    static let cases = [
        Case("transactions/apple-appTransaction.json", .appTransaction, 0),
        Case("transactions/apple-signedTransaction.json", .transaction, 2),
        Case("transactions/apple-signedTransactionWithRevocation.json", .transaction, 2),
        Case("transactions/apple-signedRenewalInfo.json", .renewalInfo, 6),
        Case("transactions/apple-transactionHistoryResponse.json", .history, 0, "invalid JWS"),
        Case("transactions/apple-getRefundHistoryResponse.json", .history, 0, "invalid JWS"),
        Case(
            "transactions/apple-getAllSubscriptionStatusesResponse.json", .status, 0,
            "invalid JWS"),
        Case(
            "transactions/apple-getNotificationHistoryResponse.json", .notificationHistory, 0,
            "invalid JWS"),
        Case("transactions/apple-xcode-signed-transaction.txt", .transaction, 2),
        Case("transactions/apple-xcode-signed-renewal-info.txt", .renewalInfo, 2),
        Case("transactions/apple-xcode-app-receipt-with-transaction.txt", .receipt, 3),
        Case(
            "notifications-v2/apple-signedNotification.json", .notificationV2, 2, "invalid JWS"),
        Case(
            "notifications-v2/apple-signedConsumptionRequestNotification.json", .notificationV2, 2,
            "invalid JWS"),
        Case(
            "notifications-v2/apple-signedExternalPurchaseTokenNotification.json", .notificationV2,
            2),
        Case(
            "notifications-v2/apple-signedRescindConsentNotification.json", .notificationV2, 2,
            "invalid JWS"),
        Case("notifications-v2/apple-signedSummaryNotification.json", .notificationV2, 2),
        Case(
            "notifications-v2/imdhemy-test-notification-signed-by-apple.json", .notificationV2, 2),
        Case("storekit-configuration/revenuecat-integration-3.0.storekit", .storekit, 14),
        Case("storekit-configuration/revenuecat-paywalls-4.0.storekit", .storekit, 6),
        Case("storekit-configuration/revenuecat-unittests-5.0.storekit", .storekit, 8),
        Case("receipts/revenuecat-sample1.base64.txt", .receipt, 12),
        Case("receipts/tpinappreceipt-production.base64.txt", .receipt, 7),
    ]

    @Test(arguments: cases)
    func `a document imports, and its log checks`(one: Case) throws {
        let file = try ImportFixtures.file(one.testDescription)
        let result = try imported([file])
        #expect(result.tally.kinds == [one.kind: 1])
        #expect(result.events.count == one.events, "\(result.text)\n\(result.remarks)")
        if let error = one.error {
            #expect(result.remarks(.error).first?.contains(error) == true)
        } else {
            #expect(result.isComplete, "\(result.remarks)")
        }
        #expect(try Checking.problems(in: result.log) == [])
    }

    @Test func `every document of the folders is one of them`() throws {
        for folder in ["transactions", "storekit-configuration", "receipts"] {
            let path = Fixtures.url(folder).path
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                #expect(
                    Self.cases.contains { $0.testDescription == "\(folder)/\(name)" }, "\(name)")
            }
        }
    }

    @Test func `Apple's own signature holds`() throws {
        let path = "notifications-v2/imdhemy-test-notification-signed-by-apple.json"
        let file = try ImportFixtures.file(path)
        let result = try imported([file])
        #expect(result.tally.signatures == [.valid: 1])
        let text = String(decoding: file.bytes, as: UTF8.self)
        let middle = text.index(text.startIndex, offsetBy: text.count / 2)
        let changed = text.replacingCharacters(
            in: middle...middle, with: text[middle] == "A" ? "B" : "A")
        let forged = try imported([ImportFile("forged", changed)])
        #expect(forged.tally.signatures[.valid] == nil && !forged.isComplete)
    }

    @Test func `both receipts are of Apple`() throws {
        for name in ["revenuecat-sample1", "tpinappreceipt-production"] {
            let file = try ImportFixtures.file("receipts/\(name).base64.txt")
            let result = try imported([file])
            #expect(result.tally.signatures == [.valid: 1], "\(name): \(result.remarks)")
        }
    }

    @Test func `a receipt and its verified form give the same purchases`() throws {
        let receipt = try ImportFixtures.file("receipts/revenuecat-sample1.base64.txt")
        let response = try ImportFixtures.file(ImportFixtures.sample)
        let one = try imported([receipt]), other = try imported([response])
        func purchases(_ result: ImportResult) -> Set<[String]> {
            Set(
                result.rows.map { row in
                    [
                        row.transaction.name, row.original?.name ?? "", row.product.name,
                        row.purchasedAt.text, row.expiresAt?.text ?? "",
                        row.cancelledAt?.text ?? "",
                    ]
                })
        }
        #expect(purchases(one) == purchases(other) && one.rows.count == 9)
        let both = try imported([receipt, response])
        func lines(_ result: ImportResult) throws -> [String] {
            try Checking.rows(of: result.log).flatMap { $0 }.filter { $0.contains("\"periods\"") }
        }
        #expect(try lines(one).count == 1)
        #expect(try lines(both).count == 1)
        #expect(try lines(both) == lines(other))
        #expect(try Checking.problems(in: both.log) == [])
    }

    @Test func `Apple's mocks hold under their own roots alone`() throws {
        for (name, outcome) in [
            ("transactionInfo", SignatureCheck.valid), ("renewalInfo", .valid),
            ("testNotification", .valid),
        ] {
            let file = try ImportFixtures.file("notifications-v2/apple-mock-\(name).jws")
            let root = try Self.root(of: file)
            let result = try imported([file], { $0.roots = root })
            #expect(result.tally.signatures == [outcome: 1], "\(name): \(result.remarks)")
            let apple = try imported([file])
            #expect(apple.tally.signatures == [.invalid: 1])
        }
        let wrong = try ImportFixtures.file("notifications-v2/apple-mock-wrongBundleId.jws")
        let root = try Self.root(of: wrong)
        // The document has no date at which to check its certificates.
        let undated = try imported([wrong], { $0.roots = root })
        #expect(undated.tally.signatures == [.invalid: 1] && undated.events.count == 2)
        let refused = try imported(
            [wrong],
            {
                $0.verifies = false
                $0.bundleID = "com.example"
            })
        #expect(refused.events.isEmpty)
        #expect(refused.remarks(.error).first?.contains("expected the app `com.example`") == true)
        let bare = try ImportFixtures.file("notifications-v2/apple-mock-missingX5CHeaderClaim.jws")
        let unsigned = try imported([bare])
        #expect(unsigned.tally.signatures == [.invalid: 1])
        #expect(unsigned.remarks(.error).first?.contains("`x5c`") == true)
    }

    /// The third certificate of a JWS, as a trusted root.
    private static func root(of file: ImportFile) throws -> TrustedRoots {
        let text = file.bytes.filter { !JSONReader.isSpace($0) }
        let header = try JWS(text).header()
        return try TrustedRoots(certificates: [header.certificates?.last ?? []])
    }
}
