/// Verifies one signature under one public key: what the rest of this folder needs of cryptography.
///
/// Every implementation verifies public data alone, so none needs to run in constant time.
public protocol SignatureVerifier: Sendable {
    /// A short name for tests and benchmarks.
    var name: String { get }

    /// Whether a signature over a message holds under a key; false where the key doesn't fit the
    /// algorithm.
    ///
    /// - Parameters:
    ///   - signature: Of ECDSA the numbers r and s, each as wide as the curve, big-endian (IEEE
    ///     P1363); of RSA the signature as wide as the modulus.
    ///   - message: The bytes that were signed.
    ///   - key: The public key of who signed.
    ///   - algorithm: The algorithm of the signature.
    func isValid(
        _ signature: [UInt8], of message: UnsafeRawBufferPointer, under key: PublicKey,
        _ algorithm: SignatureAlgorithm
    ) -> Bool
}

/// The signature algorithms that App Store data is signed with.
public enum SignatureAlgorithm: String, CaseIterable, Hashable, Sendable {
    /// ECDSA over SHA-256, on the curve of the key.
    case ecdsaSHA256
    /// ECDSA over SHA-384, on the curve of the key.
    case ecdsaSHA384
    /// RSASSA-PKCS1-v1_5 over SHA-1: old receipts alone.
    case rsaSHA1
    /// RSASSA-PKCS1-v1_5 over SHA-256.
    case rsaSHA256
}

/// A public key as a certificate states it.
public enum PublicKey: Hashable, Sendable {
    /// A point of P-256: x and y, 32 bytes each, big-endian.
    case p256([UInt8])
    /// A point of P-384: x and y, 48 bytes each, big-endian.
    case p384([UInt8])
    /// An RSA key: modulus and public exponent, big-endian without leading zeros.
    case rsa(modulus: [UInt8], exponent: [UInt8])
}

extension SignatureAlgorithm {
    /// The hash function that it signs the result of.
    package var hashFunction: HashFunction {
        switch self {
        case .ecdsaSHA256, .rsaSHA256: .sha256
        case .ecdsaSHA384: .sha384
        case .rsaSHA1: .sha1
        }
    }

    /// Whether it is ECDSA; otherwise it is RSA.
    package var isECDSA: Bool {
        switch self {
        case .ecdsaSHA256, .ecdsaSHA384: true
        case .rsaSHA1, .rsaSHA256: false
        }
    }
}
