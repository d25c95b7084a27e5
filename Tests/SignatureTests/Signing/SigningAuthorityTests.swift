import Foundation
import PurchaseEvents
import PurchaseSignatures
import PurchaseSimulation
import TestSupport
import Testing

/// What the simulated authority signs, verified here and by OpenSSL.
struct SigningAuthorityTests {
    private static let start = Timestamp(milliseconds: 1_780_315_200_000)
    private static let authority = SigningAuthority(seed: 7, at: start)

    private func verifier(_ authority: SigningAuthority) throws -> JWSVerifier {
        JWSVerifier(roots: try TrustedRoots(certificates: [Array(authority.rootPEM.utf8)]))
    }

    @Test func `a payload is valid under the authority's root`() throws {
        let text = SigningAuthorityTests.authority.signed(#"{"a":"é"}"#)
        let jws = try JWS(text)
        #expect(String(decoding: jws.payload, as: UTF8.self) == #"{"a":"é"}"#)
        let verifier = try verifier(SigningAuthorityTests.authority)
        for years in [Int64(0), 39] {
            let instant = SigningAuthorityTests.start.advanced(
                byMilliseconds: years * 365 * Timestamp.day)
            #expect(verifier.verify(jws, at: instant) == .valid)
        }
    }

    @Test func `its chain has the keys of Apple's chain and isn't trusted as Apple's`() throws {
        let keys = try SigningAuthorityTests.authority.certificates.map { try Certificate($0).key }
        guard case .p256 = keys[0], case .p384 = keys[1], case .p384 = keys[2] else {
            Issue.record("expected keys of P-256, P-384 and P-384, seen \(keys)")
            return
        }
        let jws = try JWS(SigningAuthorityTests.authority.signed("{}"))
        guard
            case .invalid(let problem) = JWSVerifier().verify(jws, at: SigningAuthorityTests.start)
        else {
            Issue.record("Apple's root isn't the authority's")
            return
        }
        #expect(problem.step == .root)
    }

    @Test func `the same seed and instant give the same bytes, another seed other keys`() throws {
        let authority = SigningAuthorityTests.authority
        let again = SigningAuthority(seed: 7, at: SigningAuthorityTests.start)
        #expect(authority.signed("{}") == again.signed("{}"))
        #expect(authority.rootPEM == again.rootPEM)
        let other = SigningAuthority(seed: 8, at: SigningAuthorityTests.start)
        let jws = try JWS(other.signed("{}"))
        #expect(try !verifier(authority).verify(jws, at: SigningAuthorityTests.start).isValid)
        #expect(other.rootPEM != authority.rootPEM)
    }

    @Test func `no changed character goes unnoticed`() throws {
        let text = Array(SigningAuthorityTests.authority.signed(#"{"price":9990}"#).utf8)
        let verifier = try verifier(SigningAuthorityTests.authority)
        var dice = Dice(seed: 1)
        let last = try #require(text.lastIndex(of: UInt8(ascii: ".")))
        let places = (0..<25).map { _ in dice.below(text.count) } + Array((last - 18)..<last + 6)
        for place in places where text[place] != UInt8(ascii: ".") {
            var changed = text
            changed[place] =
                text[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let isValid = (try? JWS(changed)).map {
                verifier.verify($0, at: SigningAuthorityTests.start).isValid
            }
            #expect(isValid != true, "character \(place)")
        }
    }

    @Test func `certificates are valid from 1970 to 9999 at the most`() throws {
        // Certificates count whole seconds.
        let end = Timestamp.latest.advanced(byMilliseconds: -999)
        for instant in [Timestamp.earliest, Timestamp(milliseconds: 0), end] {
            let authority = SigningAuthority(seed: 1, at: instant)
            for bytes in authority.certificates {
                let certificate = try Certificate(bytes)
                #expect(certificate.notBefore >= Timestamp(milliseconds: 0))
                #expect(certificate.notAfter <= .latest)
            }
            let jws = try JWS(authority.signed("{}"))
            guard instant > .earliest else { continue }
            let outcome = try verifier(authority).verify(jws, at: instant)
            #expect(outcome == .valid)
        }
    }

    @Test(.enabled("there is no openssl", { OpenSSL.path != nil }))
    func `OpenSSL accepts the certificates, by its strict rules too`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = ["leaf", "intermediate", "root"]
        for (name, bytes) in zip(names, SigningAuthorityTests.authority.certificates) {
            try Data(PEM.text(bytes)).write(to: folder.appending(path: name))
            let parsed = try OpenSSL.run(["asn1parse", "-in", name], in: folder)
            #expect(parsed.status == 0, "\(parsed.output)")
        }
        let verified = try OpenSSL.run(
            [
                "verify", "-x509_strict", "-check_ss_sig", "-attime", "1780315200", "-CAfile",
                "root",
                "-untrusted", "intermediate", "leaf",
            ], in: folder)
        #expect(verified.status == 0, "\(verified.output)")
        #expect(verified.output.contains("leaf: OK"))
    }
}
