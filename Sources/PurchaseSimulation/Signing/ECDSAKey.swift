import PurchaseSignatures

/// An ECDSA key derived from a seed: whoever knows the seed knows the key.
package struct ECDSAKey: SigningKey, Hashable {
    package let curve: SigningCurve
    /// The secret number, as wide as the curve, big-endian.
    package let secret: [UInt8]

    /// Derives a key: the first of the seed's hashes, counted from 0, that is a scalar.
    package init(_ curve: SigningCurve, seed: String) {
        self.curve = curve
        for counter in UInt8.min...UInt8.max {
            let hash = HashFunction.sha384.hash((Array(seed.utf8) + [counter])[...])
            let number = Array(hash.prefix(curve.byteCount))
            if curve.isScalar(number) {
                secret = number
                return
            }
        }
        preconditionFailure("one of 256 hashes is below the order")
    }

    /// Creates a key from its secret; returns `nil` if the secret isn't a scalar of the curve.
    package init?(_ curve: SigningCurve, secret: [UInt8]) {
        guard secret.count == curve.byteCount, curve.isScalar(secret) else { return nil }
        (self.curve, self.secret) = (curve, secret)
    }

    /// The public key; costs one multiplication.
    package var publicKey: PublicKey {
        let point = curve.point(ofSecret: secret) ?? []
        switch curve {
        case .p256: return .p256(point)
        case .p384: return .p384(point)
        }
    }

    /// The signature of a message, the same each time (RFC 6979).
    package func signature(of message: [UInt8], _ algorithm: SignatureAlgorithm) -> [UInt8] {
        let function = algorithm.hashFunction
        let hash = function.hash(message[...])
        var nonces = NonceSequence(curve, secret: secret, hash: hash, function)
        while true {
            let nonce = nonces.next()
            if let signature = curve.signature(ofHash: hash, secret: secret, nonce: nonce) {
                return signature
            }
        }
    }
}
