import Foundation
import PurchaseSignatures
import TestSigning
import TestSupport
import Testing

@testable import PurchaseSignatures

/// Project Wycheproof's vectors from five files, under each available implementation.
@Suite(.enabled(if: Fixtures.exist("signatures"), "\(Fixtures.missing)"))
struct WycheproofFixtureTests {
    private struct File: Decodable {
        var numberOfTests: Int
        var testGroups: [Group]
    }

    private struct Group: Decodable {
        var publicKeyDer: String
        var tests: [Vector]
    }

    private struct Vector: Decodable {
        var tcId: Int
        var comment: String
        var flags: [String]
        var msg: String, sig: String
        var result: String
    }

    /// The vectors with the verdict "acceptable", and the reasons for our answers.
    private static let acceptable = [
        "MissingNull": "the algorithm of the digest has no NULL: only the form with it is built"
    ]

    private func check(
        _ name: String, _ algorithm: SignatureAlgorithm, isDER: Bool, count: Int
    ) throws {
        let bytes = try Fixtures.bytes("signatures/wycheproof/\(name)_test.json")
        let file = try JSONDecoder().decode(File.self, from: Data(bytes))
        let vectors = file.testGroups.flatMap { group in group.tests.map { (group, $0) } }
        #expect(file.numberOfTests == count && vectors.count == count)
        for verifier in SignatureVerifiers.all {
            for (group, vector) in vectors {
                let key = try key(of: group)
                let answer = isValid(vector, under: key, algorithm, isDER: isDER, verifier)
                let isAccepted = vector.flags.contains { Self.acceptable[$0] != nil }
                #expect(vector.result != "acceptable" || isAccepted, "a reason for each")
                #expect(
                    answer == (vector.result == "valid"),
                    "\(verifier.name): \(name) \(vector.tcId): \(vector.comment)")
            }
        }
    }

    private func key(of group: Group) throws -> PublicKey {
        var reader = ASN1Reader(TestHex.bytes(group.publicKeyDer), .der)
        let key = try #require(try PublicKey(&reader))
        try reader.finish()
        return key
    }

    private func isValid(
        _ vector: Vector, under key: PublicKey, _ algorithm: SignatureAlgorithm, isDER: Bool,
        _ verifier: any SignatureVerifier
    ) -> Bool {
        var signature = TestHex.bytes(vector.sig)
        if isDER {
            let width = algorithm == .ecdsaSHA384 ? 48 : 32
            guard let fixed = ECDSASignature.fixedWidth(der: signature, width: width) else {
                return false
            }
            signature = fixed
        }
        return TestHex.bytes(vector.msg).withUnsafeBytes {
            verifier.isValid(signature, of: $0, under: key, algorithm)
        }
    }

    @Test func `ECDSA on P-256, r and s side by side`() throws {
        try check("ecdsa_secp256r1_sha256_p1363", .ecdsaSHA256, isDER: false, count: 262)
    }

    @Test func `ECDSA on P-256, in DER`() throws {
        try check("ecdsa_secp256r1_sha256", .ecdsaSHA256, isDER: true, count: 484)
    }

    @Test func `ECDSA on P-384, in DER`() throws {
        try check("ecdsa_secp384r1_sha384", .ecdsaSHA384, isDER: true, count: 504)
    }

    @Test func `RSA of 2048 bits`() throws {
        try check("rsa_signature_2048_sha256", .rsaSHA256, isDER: false, count: 259)
    }

    @Test func `RSA of 4096 bits`() throws {
        try check("rsa_signature_4096_sha256", .rsaSHA256, isDER: false, count: 258)
    }
}
