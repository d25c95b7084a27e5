import PurchaseSignatures
import TestSigning
import TestSupport
import Testing

@testable import PurchaseSignatures

/// Signatures made by the tests, and slightly changed ones, under each available implementation.
struct VerifierTests {
    private static let keys: [(key: TestKey, algorithm: SignatureAlgorithm)] = [
        (.p256(seed: "a"), .ecdsaSHA256), (.p256(seed: "a"), .ecdsaSHA384),
        (.p384(seed: "a"), .ecdsaSHA256), (.p384(seed: "a"), .ecdsaSHA384),
        (.rsa(0), .rsaSHA1), (.rsa(0), .rsaSHA256),
    ]

    private func holds(
        _ signature: [UInt8], _ message: [UInt8], _ key: PublicKey,
        _ algorithm: SignatureAlgorithm, _ verifier: any SignatureVerifier
    ) -> Bool {
        message.withUnsafeBytes { verifier.isValid(signature, of: $0, under: key, algorithm) }
    }

    @Test func `a signature holds under its key, its message and its algorithm alone`() {
        let message = Array("a message".utf8)
        for (key, algorithm) in VerifierTests.keys {
            let signature = key.signature(of: message, algorithm)
            for verifier in SignatureVerifiers.all {
                let name = "\(verifier.name) \(key) \(algorithm)"
                let isValid = { holds($0, $1, $2, $3, verifier) }
                #expect(isValid(signature, message, key.publicKey, algorithm), "\(name)")
                #expect(!isValid(signature, message + [0], key.publicKey, algorithm), "\(name)")
                #expect(!isValid(Array(signature.dropLast()), message, key.publicKey, algorithm))
                #expect(!isValid(signature + [0], message, key.publicKey, algorithm))
                #expect(!isValid([], message, key.publicKey, algorithm))
                for (other, _) in [VerifierTests.keys[0], VerifierTests.keys[2]] where other != key
                {
                    #expect(!isValid(signature, message, other.publicKey, algorithm), "\(name)")
                }
                for other in SignatureAlgorithm.allCases where other != algorithm {
                    #expect(!isValid(signature, message, key.publicKey, other), "\(name) \(other)")
                }
            }
        }
    }

    private func checkScalars<C: Curve>(_ curve: C.Type, _ key: TestKey) {
        let message = Array("scalars".utf8)
        let algorithm: SignatureAlgorithm = .ecdsaSHA256
        let width = C.Order.Value.byteCount
        let signature = key.signature(of: message, algorithm)
        let (r, s) = (Array(signature[..<width]), Array(signature[width...]))
        let zero = [UInt8](repeating: 0, count: width)
        let order = C.Order.modulus.bytes
        let above = C.Order.modulus.adding(C.Order.Value(small: 1)).sum.bytes
        let most = [UInt8](repeating: 0xFF, count: width)
        for verifier in SignatureVerifiers.all {
            for number in [zero, order, above, most] {
                #expect(!holds(number + s, message, key.publicKey, algorithm, verifier))
                #expect(!holds(r + number, message, key.publicKey, algorithm, verifier))
                #expect(!holds(number + number, message, key.publicKey, algorithm, verifier))
            }
            // The order minus s is the other half of the same signature, and valid by definition.
            let number = C.Order.Value(bigEndian: s[...])
            let mirrored = number.map { C.Order.modulus.subtracting($0).difference.bytes } ?? []
            #expect(holds(r + mirrored, message, key.publicKey, algorithm, verifier))
            #expect(!holds(s + r, message, key.publicKey, algorithm, verifier))
        }
    }

    @Test func `r and s lie from 1 to the order less 1`() {
        checkScalars(P256.self, .p256(seed: "scalars"))
        checkScalars(P384.self, .p384(seed: "scalars"))
    }

    @Test func `a signature with any bit flipped doesn't hold`() {
        var dice = Dice(seed: 5)
        let message = Array("bits".utf8)
        for (key, algorithm) in [VerifierTests.keys[0], VerifierTests.keys[5]] {
            let signature = key.signature(of: message, algorithm)
            for _ in 0..<20 {
                var flipped = signature
                let bit = dice.below(signature.count * 8)
                flipped[bit / 8] ^= 1 << UInt8(bit % 8)
                for verifier in SignatureVerifiers.all {
                    #expect(
                        !holds(flipped, message, key.publicKey, algorithm, verifier),
                        "\(key): bit \(bit)")
                }
            }
        }
    }

    @Test func `an RSA key of another size or exponent isn't verified with`() {
        let modulus = TestRSAKey.all[0].modulus
        #expect(RSASignature.isAccepted(modulus: modulus, exponent: [1, 0, 1]))
        #expect(RSASignature.isAccepted(modulus: modulus, exponent: [3]))
        #expect(!RSASignature.isAccepted(modulus: modulus, exponent: [1]))
        #expect(!RSASignature.isAccepted(modulus: modulus, exponent: [2]))
        #expect(!RSASignature.isAccepted(modulus: modulus, exponent: []))
        #expect(!RSASignature.isAccepted(modulus: modulus, exponent: [1, 0, 0, 0, 1]))
        #expect(!RSASignature.isAccepted(modulus: Array(modulus.dropFirst()), exponent: [3]))
        #expect(!RSASignature.isAccepted(modulus: modulus.dropLast() + [2], exponent: [3]))
        let large = modulus + modulus + [1]
        #expect(!RSASignature.isAccepted(modulus: large, exponent: [3]))
        #expect(!RSASignature.isAccepted(modulus: [], exponent: [3]))
    }

    @Test func `powers are powers`() {
        // Two words: 5 to the 13th and, by Fermat's theorem, to the power of the prime 2¹²⁷ − 1
        // minus one.
        let prime = [0x7F] + [UInt8](repeating: 0xFF, count: 15)
        let five = [UInt8](repeating: 0, count: 15) + [5]
        let thirteenth = MontgomeryPower.raise(five, to: [13], modulo: prime)
        #expect(thirteenth.map { TestHex.text($0) } == "00000000000000000000000048c27395")
        let exponent = prime.dropLast() + [0xFE]
        let one = MontgomeryPower.raise(five, to: Array(exponent), modulo: prime)
        #expect(one.map { TestHex.text($0) } == "00000000000000000000000000000001")
        #expect(MontgomeryPower.raise(prime, to: [3], modulo: prime) == nil)
        #expect(MontgomeryPower.raise(five, to: [3], modulo: prime.dropLast() + [0xFE]) == nil)
    }
}
