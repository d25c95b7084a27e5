import PurchaseEvents
import PurchaseImport

/// A signing key for tests, derived from a seed, so that equal tests sign equal bytes. Such a key
/// gives no security.
package enum TestKey: Hashable, Sendable {
    case p256(seed: String)
    case p384(seed: String)
    /// One of ``TestRSAKey/all``.
    case rsa(Int)

    /// The public key.
    package var publicKey: PublicKey {
        switch self {
        case .p256(let seed): .p256(TestECDSA<P256>.point(seed: seed))
        case .p384(let seed): .p384(TestECDSA<P384>.point(seed: seed))
        case .rsa(let index):
            .rsa(modulus: TestRSAKey.all[index].modulus, exponent: TestRSAKey.exponent)
        }
    }

    /// The public key as a certificate encodes it.
    package var subjectPublicKeyInfo: [UInt8] {
        switch publicKey {
        case .p256(let point): TestKey.info("1.2.840.10045.3.1.7", point)
        case .p384(let point): TestKey.info("1.3.132.0.34", point)
        case .rsa(let modulus, let exponent):
            DER.sequence(
                DER.sequence(DER.identifier("1.2.840.113549.1.1.1"), DER.null),
                DER.bits(DER.sequence(DER.natural(modulus), DER.natural(exponent))))
        }
    }

    private static func info(_ curve: String, _ point: [UInt8]) -> [UInt8] {
        DER.sequence(
            DER.sequence(DER.identifier("1.2.840.10045.2.1"), DER.identifier(curve)),
            DER.bits([4] + point))
    }

    /// A signature as a ``SignatureVerifier`` takes it; for ECDSA, r and s, each as wide as the
    /// curve.
    package func signature(of message: [UInt8], _ algorithm: SignatureAlgorithm) -> [UInt8] {
        let hash = algorithm.hashFunction.hash(message[...])
        switch self {
        case .p256(let seed): return TestECDSA<P256>.sign(hash, seed: seed)
        case .p384(let seed): return TestECDSA<P384>.sign(hash, seed: seed)
        case .rsa(let index):
            return TestRSAKey.all[index].sign(hash, algorithm.hashFunction)
        }
    }

    /// A signature as a certificate encodes it; for ECDSA, the DER of r and s.
    package func certificateSignature(
        of message: [UInt8], _ algorithm: SignatureAlgorithm
    ) -> [UInt8] {
        let plain = signature(of: message, algorithm)
        switch self {
        case .p256, .p384:
            let half = plain.count / 2
            return DER.sequence(
                DER.natural(Array(plain[..<half])), DER.natural(Array(plain[half...])))
        case .rsa: return plain
        }
    }
}

/// ECDSA with keys and nonces derived by hashing a seed (similar to RFC 6979, with other numbers).
package enum TestECDSA<C: Curve> {
    private typealias Scalar = Residue<C.Order>

    /// A number from 1 to the order minus 1, derived from bytes.
    private static func scalar(_ parts: [UInt8]) -> C.Order.Value {
        for counter in UInt8.min...UInt8.max {
            let hash = HashFunction.sha384.hash((parts + [counter])[...])
            let number = C.Order.Value(bigEndian: hash.prefix(C.Order.Value.byteCount))
            if let number, !number.isZero, number.isBelow(C.Order.modulus) { return number }
        }
        preconditionFailure("one of 256 hashes is below the order")
    }

    private static func privateKey(_ seed: String) -> C.Order.Value {
        scalar(Array("key \(seed) ".utf8))
    }

    private static func generator(times number: C.Order.Value) -> AffinePoint<C>? {
        let sum = JacobianPoint<C>.sum(
            generatorTimes: number, .generator, times: C.Order.Value(small: 0))
        return AffinePoint(sum)
    }

    /// The public point: x and y.
    package static func point(seed: String) -> [UInt8] {
        guard let point = generator(times: privateKey(seed)) else {
            preconditionFailure("no multiple below the order is at infinity")
        }
        return point.x.value.bytes + point.y.value.bytes
    }

    /// The numbers r and s of a signature over a hash.
    package static func sign(_ hash: [UInt8], seed: String) -> [UInt8] {
        let width = C.Order.Value.byteCount
        let nonce = scalar(Array("nonce \(seed) ".utf8) + hash)
        guard let point = generator(times: nonce),
            let number = C.Order.Value(bigEndian: hash.prefix(width))
        else { preconditionFailure("a nonce is below the order, and a hash is cut to the width") }
        let r = Scalar(point.x.value)
        let s = Scalar(nonce).inverse * (Scalar(number) + r * Scalar(privateKey(seed)))
        return r.value.bytes + s.value.bytes
    }
}
