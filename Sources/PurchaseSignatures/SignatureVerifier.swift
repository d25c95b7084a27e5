/// Verifies one signature under one public key.
///
/// Apart from hash functions, the import uses no other cryptography. All data is public, so an
/// implementation needn't run in constant time.
public protocol SignatureVerifier: Sendable {
    /// A short name for tests and benchmarks.
    var name: String { get }

    /// Whether a signature of a message is valid under a key; false if the key doesn't fit the
    /// algorithm.
    ///
    /// - Parameters:
    ///   - signature: For ECDSA, the numbers r and s, each as wide as the curve, big-endian (IEEE
    ///     P1363); for RSA, the signature, as wide as the modulus.
    ///   - message: The bytes that were signed.
    ///   - key: The public key of the signer.
    ///   - algorithm: The algorithm of the signature.
    func isValid(
        _ signature: [UInt8], of message: UnsafeRawBufferPointer, under key: PublicKey,
        _ algorithm: SignatureAlgorithm
    ) -> Bool
}

/// The signature algorithms of App Store data.
public enum SignatureAlgorithm: String, CaseIterable, Hashable, Sendable {
    /// ECDSA over SHA-256, on the curve of the key.
    case ecdsaSHA256
    /// ECDSA over SHA-384, on the curve of the key.
    case ecdsaSHA384
    /// RSASSA-PKCS1-v1_5 over SHA-1; only for old receipts.
    case rsaSHA1
    /// RSASSA-PKCS1-v1_5 over SHA-256.
    case rsaSHA256
}

/// The public key of a certificate.
public enum PublicKey: Hashable, Sendable {
    /// A point of P-256: x and y, 32 bytes each, big-endian.
    case p256([UInt8])
    /// A point of P-384: x and y, 48 bytes each, big-endian.
    case p384([UInt8])
    /// An RSA key: modulus and public exponent, big-endian without leading zeros.
    case rsa(modulus: [UInt8], exponent: [UInt8])
}

extension SignatureAlgorithm {
    package var hashFunction: HashFunction {
        switch self {
        case .ecdsaSHA256, .rsaSHA256: .sha256
        case .ecdsaSHA384: .sha384
        case .rsaSHA1: .sha1
        }
    }

    package var isECDSA: Bool {
        switch self {
        case .ecdsaSHA256, .ecdsaSHA384: true
        case .rsaSHA1, .rsaSHA256: false
        }
    }
}
