import TestSigning
import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// The import of signed records, by the result of their verification.
struct SignatureImportTests {
    private static func sign(_ payload: Payload) -> String { TestChain.payload.jws(payload.json) }

    private static let notification: String = {
        let payload = serverNotification(
            "DID_RENEW", transaction: march2026, renewal: plainRenewal, jws: sign)
        return (["signedPayload": sign(payload)] as Payload).json
    }()

    private func imported(
        _ texts: String..., change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportResult {
        let roots = try TestChain.payload.roots
        let files = texts.enumerated().map {
            ImportFile("\($0).json", $1)
        }
        return try PurchaseImportTests.imported(
            files,
            { options in
                options.roots = roots
                change(&options)
            })
    }

    private func signatures(_ result: ImportResult) -> [SignatureCheck?] {
        result.events.compactMap { event in
            if case .notificationReceived(let received) = event.fact {
                received.signature
            } else {
                nil
            }
        }
    }

    @Test func `a notification whose signatures hold states all`() throws {
        let result = try imported(Self.notification)
        #expect(signatures(result) == [.valid])
        #expect(result.events.map(\.type).last == .renewalRenewed)
        #expect(result.tally.signatures == [.valid: 3] && result.isComplete)
    }

    @Test func `an invalid signature is never the same as a valid one`() throws {
        let alone = try imported(Self.notification)
        let payload = serverNotification("DID_RENEW", transaction: march2026, jws: Self.sign)
        func tampered(_ jws: String) -> String {
            jws.split(separator: ".").dropLast().joined(separator: ".") + "."
                + base64URL([UInt8](repeating: 7, count: 64))
        }
        // The signature of the notification.
        let outer = (["signedPayload": tampered(Self.sign(payload))] as Payload).json
        let first = try imported(outer, Self.notification)
        #expect(signatures(first) == [.invalid, .valid])
        #expect(first.events.last?.fact == alone.events.last?.fact)
        // The signature of the transaction in a decoded notification.
        let data: Payload? = payload["data"]
        let inner = payload.with(
            ("data", data?.with(("signedTransactionInfo", tampered(Self.sign(march2026))))))
        let second = try imported(inner.json, payload.json)
        #expect(second.facts == alone.facts)
        #expect(second.remarks(.note).first?.contains("recorded both") == true)
    }

    @Test func `without verifying all is unchecked`() throws {
        let result = try imported(Self.notification) { $0.verifies = false }
        #expect(signatures(result) == [.unchecked])
        #expect(result.tally.signatures == [.unchecked: 3] && result.isComplete)
    }

    @Test func `Apple's root doesn't take what others signed`() throws {
        let result = try imported(Self.notification) { $0.roots = .apple }
        #expect(signatures(result) == [.invalid])
        #expect(result.events.count == 2 && !result.isComplete)
        #expect(result.remarks(.error).first?.contains("the signature is invalid: root: ") == true)
        #expect(result.events.last?.environment == nil)
    }

    @Test func `a forged notification doesn't stand in the way of the true one`() throws {
        let forged = Self.notification.replacing(".eyJub3", with: ".eyJub2")
        #expect(forged != Self.notification)
        let payload = serverNotification("DID_RENEW", transaction: march2026, jws: Self.sign)
        let other = TestChain.payload.with { $0.leaf.key = .p256(seed: "another") }
        let signed = other.jws(payload.json)
        // The header of the valid chain, with a signature by another key.
        let mixed =
            Self.sign(payload).split(separator: ".").prefix(2).joined(separator: ".")
            + "." + (signed.split(separator: ".").last ?? "")
        let result = try imported(mixed, Self.notification)
        #expect(Set(signatures(result)) == [.valid, .invalid])
        #expect(result.events.count { $0.type == .renewalRenewed } == 1)
        #expect(try Checking.problems(in: result.log).isEmpty)
    }

    @Test func `a nested record is held for itself`() throws {
        let strange = march2026.with(("bundleId", "org.other"))
        let sandbox = plainRenewal.with(("environment", "Sandbox"), ("autoRenewStatus", 0))
        let payload = serverNotification(
            "DID_RENEW", transaction: strange, renewal: sandbox, jws: Self.sign)
        let result = try imported(Self.sign(payload))
        #expect(signatures(result) == [.valid])
        #expect(result.events.count == 2)
        let errors = result.remarks(.error).joined(separator: "\n")
        #expect(
            errors.contains("data.signedTransactionInfo: the signature is invalid: it belongs to"))
        #expect(
            errors.contains(
                "it belongs to the environment sandbox, but is inside a record of production"))
        let unsigned = serverNotification("DID_RENEW", transaction: march2026)
        let nested = try imported(Self.sign(unsigned))
        #expect(signatures(nested) == [.valid] && nested.events.count == 2)
    }

    @Test func `records of another app state nothing`() throws {
        let named = try imported(Self.notification) { $0.bundleID = "com.example.app" }
        #expect(named.isComplete)
        let other = try imported(Self.notification) { $0.bundleID = "com.example" }
        #expect(other.events.isEmpty)
        #expect(
            other.remarks(.error).first?.contains(
                "expected the app `com.example`, seen `com.example.app`") == true)
        #expect(try imported(Self.notification) { $0.appID = 7 }.isComplete)
        #expect(try imported(Self.notification) { $0.appID = 8 }.events.isEmpty)
    }

    @Test func `records that no certificate was valid for are refused`() throws {
        let old = march2026.with(("signedDate", Timestamp(milliseconds: 0)))
        let result = try imported(Self.sign(old))
        #expect(result.events.isEmpty)
        #expect(result.remarks(.error).first?.contains("the signature is invalid: dates: ") == true)
        let undated = try imported(Self.sign(march2026.with(("signedDate", nil))))
        #expect(undated.events.isEmpty && undated.remarks(.error).count == 1)
    }

    @Test func `Xcode's records are unchecked`() throws {
        let payload = march2026.with(
            ("environment", "Xcode"), ("transactionId", "0"), ("originalTransactionId", "0"),
            ("signedDate", RawJSON(text: "1773964800123.4567")))
        let jws = TestChain.payload.with { $0.root.key = .p384(seed: "x") }.jws(payload.json)
        let result = try imported(jws)
        #expect(result.tally.signatures == [.unchecked: 1] && result.isComplete)
        #expect(result.events.last?.environment == .xcode)
        #expect(result.events.last?.signedAt?.milliseconds == 1_773_964_800_123)
    }

    @Test func `all threads give what one gives`() throws {
        var bodies: [String] = []
        for number in 0..<40 {
            let payload = serverNotification(
                "DID_RENEW", uuid: "n\(number)",
                transaction: march2026.with(("transactionId", "t\(number)")))
            bodies.append((["signedPayload": unsignedJWS(payload)] as Payload).json)
        }
        let text = bodies.joined(separator: "\n")
        let one = try importedUnverified(text)
        #expect(one.events.count == 81)
        #expect(
            one.events.compactMap(\.id)
                == (0..<40).map { "n\($0)#1" })
    }
}
