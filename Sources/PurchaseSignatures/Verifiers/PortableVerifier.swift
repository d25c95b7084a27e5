/// Verifies signatures in plain Swift, on every platform.
public struct PortableVerifier: SignatureVerifier {
    /// The name of this verifier, `portable`.
    public let name = "portable"

    /// Creates a verifier, which has no state.
    public init() {}

    /// Whether a signature is valid; see ``SignatureVerifier``.
    public func isValid(
        _ signature: [UInt8], of message: UnsafeRawBufferPointer, under key: PublicKey,
        _ algorithm: SignatureAlgorithm
    ) -> Bool {
        let function = algorithm.hashFunction
        switch key {
        case .p256(let point):
            return algorithm.isECDSA
                && ECDSA<P256>.isValid(signature, ofHash: function.hash(message), under: point)
        case .p384(let point):
            return algorithm.isECDSA
                && ECDSA<P384>.isValid(signature, ofHash: function.hash(message), under: point)
        case .rsa(let modulus, let exponent):
            return !algorithm.isECDSA
                && RSASignature.isValid(
                    signature, ofHash: function.hash(message), function, modulus: modulus,
                    exponent: exponent)
        }
    }
}
