/// The arithmetic of signing on one of the two curves, for keys that keep no secret.
///
/// Numbers are as wide as the curve, big-endian. Not in constant time: whoever measures how long a
/// signature takes learns about the secret.
package enum SigningCurve: Hashable, Sendable {
    case p256
    case p384

    package var byteCount: Int {
        switch self {
        case .p256: P256.Order.Value.byteCount
        case .p384: P384.Order.Value.byteCount
        }
    }

    /// Whether a number is between 1 and the order minus 1, as a secret and a nonce must be.
    package func isScalar(_ number: [UInt8]) -> Bool {
        switch self {
        case .p256: ECDSA<P256>.scalar(number) != nil
        case .p384: ECDSA<P384>.scalar(number) != nil
        }
    }

    /// The number that a hash stands for, modulo the order; a longer hash is cut to the width.
    package func number(ofHash hash: [UInt8]) -> [UInt8] {
        switch self {
        case .p256: ECDSA<P256>.number(ofHash: hash).value.bytes
        case .p384: ECDSA<P384>.number(ofHash: hash).value.bytes
        }
    }

    /// The public point of a secret, x and y; `nil` if the secret isn't a scalar.
    package func point(ofSecret secret: [UInt8]) -> [UInt8]? {
        switch self {
        case .p256: ECDSA<P256>.point(ofSecret: secret)
        case .p384: ECDSA<P384>.point(ofSecret: secret)
        }
    }

    /// The numbers r and s of a signature (FIPS 186-5, 6.4.1); `nil` if the secret or the nonce
    /// isn't a scalar, or if this nonce gives no signature.
    package func signature(ofHash hash: [UInt8], secret: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        switch self {
        case .p256: ECDSA<P256>.signature(ofHash: hash, secret: secret, nonce: nonce)
        case .p384: ECDSA<P384>.signature(ofHash: hash, secret: secret, nonce: nonce)
        }
    }
}

extension ECDSA {
    fileprivate static func scalar(_ bytes: [UInt8]) -> C.Order.Value? {
        guard let number = C.Order.Value(bigEndian: bytes[...]), isScalar(number) else {
            return nil
        }
        return number
    }

    fileprivate static func number(ofHash hash: [UInt8]) -> Scalar {
        let cut = hash.prefix(C.Order.Value.byteCount)
        return Scalar(C.Order.Value(bigEndian: cut) ?? C.Order.Value(small: 0))
    }

    fileprivate static func point(ofSecret secret: [UInt8]) -> [UInt8]? {
        guard let secret = scalar(secret),
            let point = AffinePoint(C.generatorTable.product(secret))
        else { return nil }
        return point.x.value.bytes + point.y.value.bytes
    }

    fileprivate static func signature(
        ofHash hash: [UInt8], secret: [UInt8], nonce: [UInt8]
    ) -> [UInt8]? {
        guard let secret = scalar(secret), let nonce = scalar(nonce),
            let point = AffinePoint(C.generatorTable.product(nonce))
        else { return nil }
        let r = Scalar(point.x.value)
        let s = Scalar(nonce).inverse * (number(ofHash: hash) + r * Scalar(secret))
        guard !r.isZero, !s.isZero else { return nil }
        return r.value.bytes + s.value.bytes
    }
}
