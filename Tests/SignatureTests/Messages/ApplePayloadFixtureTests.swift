import Foundation
import PurchaseEvents
import PurchaseSignatures
import TestSupport
import Testing

/// Payloads signed by Apple, and by the test authorities of Apple's library.
@Suite(.enabled(if: Fixtures.exist("signatures"), "\(Fixtures.missing)"))
struct ApplePayloadFixtureTests {
    @Test func `the notification that Apple signed is valid when it was signed`() throws {
        let (jws, signedAt) = try Fixtures.appleNotification()
        #expect(JWSVerifier().verify(jws, at: signedAt) == .valid)
        for verifier in SignatureVerifiers.all {
            #expect(JWSVerifier(verifier: verifier).verify(jws, at: signedAt).isValid)
        }
    }

    @Test func `its leaf is valid from August 2021 to September 2023`() throws {
        let (jws, _) = try Fixtures.appleNotification()
        let verifier = JWSVerifier()
        for (time, isValid) in [
            ("2021-08-25T02:50:33.999Z", false), ("2021-08-25T02:50:34.000Z", true),
            ("2023-09-24T02:50:33.000Z", true), ("2023-09-24T02:50:33.001Z", false),
            ("1970-01-01T00:00:00Z", false), ("2100-01-01T00:00:00Z", false),
        ] {
            let instant = try #require(Timestamp(time))
            let outcome = verifier.verify(jws, at: instant)
            if isValid {
                #expect(outcome == .valid, "\(time)")
            } else {
                expect(outcome, failsAt: .dates)
            }
        }
        #expect(verifier.chainsVerified == 1, "a chain is verified once, its dates each time")
    }

    @Test func `with any bit flipped it is never valid`() throws {
        let (jws, signedAt) = try Fixtures.appleNotification()
        let flips = ProcessInfo.processInfo.environment["SIGNATURE_FLIPS"] == "all"
        var dice = Dice(seed: 22)
        let all = jws.text.count * 8
        let bits = flips ? Array(0..<all) : (0..<500).map { _ in dice.below(all) }
        let verifier = JWSVerifier()
        #expect(verifier.verify(jws, at: signedAt) == .valid)
        var valid: [Int] = []
        for bit in bits {
            var text = jws.text
            text[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let changed = try? JWS(text) else { continue }
            if verifier.verify(changed, at: signedAt).isValid { valid.append(bit) }
        }
        print("notification: \(bits.count) flipped bits")
        #expect(valid.isEmpty, "flipped bits that change nothing")
    }

    @Test(arguments: ["transactionInfo", "renewalInfo", "testNotification", "wrongBundleId"])
    func `a payload of a test authority is valid below that authority alone`(
        name: String
    ) throws {
        let jws = try Fixtures.mock(name)
        let instant = try #require(Timestamp("2023-06-01T00:00:00Z"))
        let root = try #require(try jws.header().certificates?.last)
        let roots = try TrustedRoots(certificates: [root])
        #expect(JWSVerifier(roots: roots).verify(jws, at: instant) == .valid)
        expect(JWSVerifier().verify(jws, at: instant), failsAt: .root)
        let other = try Fixtures.mock(name == "renewalInfo" ? "transactionInfo" : "renewalInfo")
        let otherRoot = try #require(try other.header().certificates?.last)
        if otherRoot != root {
            let others = try TrustedRoots(certificates: [otherRoot])
            expect(JWSVerifier(roots: others).verify(jws, at: instant), failsAt: .root)
        }
    }

    @Test func `a payload without certificates is refused, and what it states can be read`() throws
    {
        let jws = try Fixtures.mock("missingX5CHeaderClaim")
        expect(
            JWSVerifier().verify(jws, at: TestTimes.noon), failsAt: .certificates,
            saying: "no `x5c`")
        #expect(try Fixtures.value("notificationType", of: jws.payload) == "TEST")
    }

    @Test func `Apple's root isn't trusted where another is given`() throws {
        let (jws, signedAt) = try Fixtures.appleNotification()
        let mock = try Fixtures.mock("transactionInfo")
        let root = try #require(try mock.header().certificates?.last)
        let roots = try TrustedRoots(certificates: [root])
        expect(JWSVerifier(roots: roots).verify(jws, at: signedAt), failsAt: .root)
        let apples = try #require(try jws.header().certificates?.last)
        let both = try TrustedRoots(certificates: [root, apples])
        #expect(JWSVerifier(roots: both).verify(jws, at: signedAt) == .valid)
    }
}

/// Instants for tests.
enum TestTimes {
    /// Noon on 1 June 2026, when the test certificates are valid.
    static let noon = Timestamp(milliseconds: 1_780_315_200_000)
}
