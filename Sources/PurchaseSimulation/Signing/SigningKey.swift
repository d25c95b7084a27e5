import PurchaseSignatures

/// A key that signs, and its public half in the forms of certificates.
package protocol SigningKey: Sendable {
    /// The public key.
    var publicKey: PublicKey { get }

    /// A signature as a ``SignatureVerifier`` takes it; for ECDSA, r and s, each as wide as the
    /// curve.
    func signature(of message: [UInt8], _ algorithm: SignatureAlgorithm) -> [UInt8]
}

extension SigningKey {
    /// The public key as a certificate encodes it.
    package var subjectPublicKeyInfo: [UInt8] {
        switch publicKey {
        case .p256(let point): Self.info("1.2.840.10045.3.1.7", point)
        case .p384(let point): Self.info("1.3.132.0.34", point)
        case .rsa(let modulus, let exponent):
            DERWriter.sequence(
                DERWriter.sequence(DERWriter.identifier("1.2.840.113549.1.1.1"), DERWriter.null),
                DERWriter.bits(
                    DERWriter.sequence(DERWriter.natural(modulus), DERWriter.natural(exponent))))
        }
    }

    private static func info(_ curve: String, _ point: [UInt8]) -> [UInt8] {
        DERWriter.sequence(
            DERWriter.sequence(
                DERWriter.identifier("1.2.840.10045.2.1"), DERWriter.identifier(curve)),
            DERWriter.bits([4] + point))
    }

    /// A signature as a certificate encodes it; for ECDSA, the DER of r and s.
    package func certificateSignature(
        of message: [UInt8], _ algorithm: SignatureAlgorithm
    ) -> [UInt8] {
        let plain = signature(of: message, algorithm)
        guard algorithm.isECDSA else { return plain }
        let half = plain.count / 2
        return DERWriter.sequence(
            DERWriter.natural(Array(plain[..<half])), DERWriter.natural(Array(plain[half...])))
    }
}
