import Foundation
import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// Real data in `../shared`, skipped if it isn't there.
enum ImportFixtures {
    static let notification = "notifications-v1/imdhemy-server-notification.json"
    static let response = "verify-receipt/imdhemy-verify-receipt-response.json"
    static let sample = "verify-receipt/revenuecat-sample1.json"

    static func file(_ path: String) throws -> ImportFile {
        ImportFile(name: path, bytes: try Fixtures.bytes(path))
    }

    /// The values of a key in the text of a fixture, in order.
    static func values(_ key: String, in file: ImportFile) -> [String] {
        let text = String(decoding: file.bytes, as: UTF8.self)
        return text.components(separatedBy: "\"\(key)\"").dropFirst().compactMap { rest in
            rest.components(separatedBy: "\"").dropFirst().first
        }
    }
}

@Suite(.enabled(if: Fixtures.exist("verify-receipt"), "\(Fixtures.missing)"))
struct ImportFixtureTests {
    @Test(arguments: [
        (ImportFixtures.notification, 54), (ImportFixtures.response, 43),
        (ImportFixtures.sample, 9),
    ])
    func `every transaction is in the log`(path: String, count: Int) throws {
        let file = try ImportFixtures.file(path)
        let result = try imported([file])
        let stated = Set(ImportFixtures.values("transaction_id", in: file))
        #expect(stated.count == count)
        #expect(Set(result.rows.map(\.transaction.name)) == stated)
        #expect(result.rows.count == count)
        #expect(result.isComplete && result.remarks(.warning).isEmpty)
        #expect(result.events.dropFirst().allSatisfy { $0.environment == .sandbox })
    }

    @Test func `a test receipt that production answered for is of the sandbox`() throws {
        let result = try imported([try ImportFixtures.file("real/c-ReceiptResponseSandbox.json")])
        #expect(!result.rows.isEmpty && result.isComplete)
        #expect(result.events.allSatisfy { $0.environment == .sandbox })
    }

    @Test func `a password never reaches the log or the remarks`() throws {
        let file = try ImportFixtures.file(ImportFixtures.notification)
        let password = try #require(ImportFixtures.values("password", in: file).first)
        for secret in [nil, password, "other"] {
            let result = try imported([file], secret: secret)
            #expect(!(result.text + result.remarks.description).contains(password))
            #expect(result.rows.count == (secret == "other" ? 0 : 54))
        }
    }

    @Test func `a notification and a response give one line with equal periods`() throws {
        let result = try imported([
            try ImportFixtures.file(ImportFixtures.notification),
            try ImportFixtures.file(ImportFixtures.response),
        ])
        #expect(Set(result.rows.map(\.transaction)).count == 54 + 43)
        #expect(Set(result.rows.map(\.original)) == ["1000000723811158"])
        let environments = Set(result.events.dropFirst().map(\.environment))
        #expect(environments == [.sandbox])
        let periods = Set(result.rows.map { [$0.purchasedAt, $0.expiresAt] })
        #expect(periods.count == 54 + 43 - 42)
        #expect(result.rows.filter { $0.upgraded == true }.count == 4)
    }
}
