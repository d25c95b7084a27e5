import TestSigning
import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// Signed records in pages, in envelopes and alone.
struct PageTests {
    @Test func `a transaction is a statement by its own identifier, wherever it stands`() throws {
        let jws = unsignedJWS(march2026)
        let key = "tx:t2:\(day("3-21").milliseconds)#1"
        let page: Payload = [
            "revision": "r", "hasMore": false, "bundleId": "com.example.app", "appAppleId": 7,
            "environment": "Production", "signedTransactions": [jws] as [any Sendable],
        ]
        let lookUp: Payload = ["signedTransactionInfo": jws]
        let alone = try importedUnverified(jws)
        #expect(alone.events.dropFirst().map(\.id) == [key])
        #expect(alone.events.last?.signedAt == day("3-21"))
        #expect(alone.events.allSatisfy { $0.source == nil })
        for text in [page.json, lookUp.json, "[\"\(jws)\"]", "\(jws)\n\(jws)\n"] {
            #expect(try importedUnverified(text).log == alone.log, "\(text.prefix(40))")
        }
        let notification = serverNotification("ONE_TIME_CHARGE", transaction: march2026)
        let all = try importedUnverified(page.json, notification.json, lookUp.json)
        #expect(all.rows.count == 1)
        #expect(all.tally.repeated == 2)
    }

    @Test func `accounts are what was chosen`() throws {
        let token = "6F1C2B1E-3D47-4A90-8C55-2B7E90D1F3A8"
        let customer = march2026.with(("appTransactionId", "704"))
        let both = customer.with(("appAccountToken", token))
        func accounts(_ choice: AccountKey?) throws -> [String?] {
            let files = [customer, both].map { ImportFile("a", $0.json) }
            let result = try imported(files) {
                $0.account = choice
                $0.verifies = false
            }
            #expect(result.tally.unnamedCustomers == (choice == nil ? 1 : 0))
            return result.events.dropFirst().map { $0.account?.name }
        }
        #expect(try accounts(nil) == [nil, token.lowercased()])
        #expect(try accounts(.token) == [nil, token.lowercased()])
        #expect(try accounts(.customer) == ["704", "704"])
        #expect(try accounts(.tokenOrCustomer) == ["704", token.lowercased()])
    }

    @Test func `a page of notifications is what its notifications are`() throws {
        let notification = unsignedJWS(serverNotification("DID_RENEW", transaction: march2026))
        let attempt: Payload = ["attemptDate": day("3-22"), "sendAttemptResult": "SUCCESS"]
        let item: Payload = [
            "signedPayload": notification, "sendAttempts": [attempt] as [any Sendable],
        ]
        let page: Payload = [
            "paginationToken": "p", "hasMore": true,
            "notificationHistory": [item] as [any Sendable],
        ]
        let body: Payload = ["signedPayload": notification]
        let alone = try importedUnverified(body.json)
        let result = try importedUnverified(page.json)
        #expect(result.log == alone.log)
        #expect(
            result.remarks(.note).contains { $0.contains("more notification history pages follow") }
        )
        #expect(result.tally.kinds == [.notificationHistory: 1])
        let chain = TestChain.payload, roots = try chain.roots
        let signed = serverNotification("DID_RENEW", transaction: march2026) { chain.jws($0.json) }
        let items = [item.with(("signedPayload", chain.jws(signed.json)))] as [any Sendable]
        let file = page.with(("notificationHistory", items)).json
        let verified = try imported([ImportFile("a", file)]) {
            $0.roots = roots
        }
        #expect(
            try verified.said() == alone.said().map { $0.replacing("unchecked", with: "valid") })
        #expect(verified.tally.signatures == [.valid: 2] && verified.isComplete)
    }

    @Test func `a webhook's envelope holds the body as text`() throws {
        let body: Payload = [
            "signedPayload": unsignedJWS(serverNotification("DID_RENEW", transaction: march2026))
        ]
        let alone = try importedUnverified(body.json)
        for key in ["body", "payload", "message", "Message"] {
            let envelope: Payload = ["receivedAt": "2026-03-22", "headers": [:] as Payload]
            let text = envelope.with((key, body.json)).json
            #expect(try importedUnverified("\(text)\n\(text)\n").log == alone.log, "\(key)")
        }
        let nested: Payload = ["message": (["body": body.json] as Payload).json]
        #expect(try importedUnverified(nested.json).log == alone.log)
    }
}
