import PurchaseSignatures
import PurchaseSimulation

/// A signing key for tests, derived from a seed, so that equal tests sign equal bytes. Such a key
/// gives no security.
package enum TestKey: SigningKey, Hashable {
    case p256(seed: String)
    case p384(seed: String)
    /// One of ``TestRSAKey/all``.
    case rsa(Int)

    /// The public key.
    package var publicKey: PublicKey {
        switch self {
        case .p256(let seed): TestKey.key(.p256, seed).publicKey
        case .p384(let seed): TestKey.key(.p384, seed).publicKey
        case .rsa(let index):
            .rsa(modulus: TestRSAKey.all[index].modulus, exponent: TestRSAKey.exponent)
        }
    }

    /// A signature as a ``SignatureVerifier`` takes it; for ECDSA, r and s, each as wide as the
    /// curve.
    package func signature(of message: [UInt8], _ algorithm: SignatureAlgorithm) -> [UInt8] {
        switch self {
        case .p256(let seed): TestKey.key(.p256, seed).signature(of: message, algorithm)
        case .p384(let seed): TestKey.key(.p384, seed).signature(of: message, algorithm)
        case .rsa(let index):
            TestRSAKey.all[index].sign(
                algorithm.hashFunction.hash(message[...]), algorithm.hashFunction)
        }
    }

    private static func key(_ curve: SigningCurve, _ seed: String) -> ECDSAKey {
        ECDSAKey(curve, seed: "key \(seed) ")
    }
}
