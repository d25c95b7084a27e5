import Foundation
import PurchaseEvents
import PurchaseSignatures
import TestSigning
import TestSupport
import Testing

@testable import PurchaseSignatures

/// Receipts signed by Apple and by Xcode.
@Suite(.enabled(if: Fixtures.exist("signatures"), "\(Fixtures.missing)"))
struct AppleReceiptFixtureTests {
    private static let receipts = [
        ("receipts/revenuecat-sample1.base64.txt", "2020-01-01T00:00:00Z"),
        ("receipts/tpinappreceipt-production.base64.txt", "2023-06-01T00:00:00Z"),
    ]

    @Test(arguments: receipts)
    func `a receipt that Apple signed is valid while its certificates are`(
        name: String, time: String
    ) throws {
        let message = try SignedMessage(try Fixtures.receipt(name))
        let instant = try #require(Timestamp(time))
        for verifier in SignatureVerifiers.all {
            #expect(message.verify(roots: .apple, at: instant, with: verifier) == .valid)
        }
        for time in ["2010-01-01T00:00:00Z", "2034-01-01T00:00:00Z"] {
            let other = try #require(Timestamp(time))
            expect(message.verify(roots: .apple, at: other), failsAt: .dates)
        }
        #expect(message.reader.bytes.first == ASN1Tag.set && !message.isXcode)
    }

    @Test(arguments: receipts)
    func `with any bit flipped it is never valid`(name: String, time: String) throws {
        let bytes = try Fixtures.receipt(name)
        let instant = try #require(Timestamp(time))
        let flips = ProcessInfo.processInfo.environment["SIGNATURE_FLIPS"] == "all"
        var dice = Dice(seed: 22)
        let bits =
            flips ? Array(0..<bytes.count * 8) : (0..<200).map { _ in dice.below(bytes.count * 8) }
        var valid: [Int] = []
        for bit in bits {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let message = try? SignedMessage(changed) else { continue }
            if message.verify(roots: .apple, at: instant).isValid { valid.append(bit) }
        }
        print("receipt: \(bits.count) flipped bits")
        #expect(valid.isEmpty, "flipped bits that change nothing")
    }

    @Test func `a receipt of Xcode is known by its certificate`() throws {
        let name = "transactions/apple-xcode-app-receipt-with-transaction.txt"
        let message = try SignedMessage(try Fixtures.receipt(name))
        #expect(message.isXcode && message.reader.bytes.first == ASN1Tag.set)
        #expect(!message.verify(roots: .apple, at: TestTimes.noon).isValid)
    }
}
