import PurchaseEvents

/// A CMS SignedData message (RFC 5652) as the App Store's receipts are: its content, and who signed
/// it.
package struct SignedMessage: Sendable {
    /// The content, a receipt's SET of attributes.
    package let content: [UInt8]
    /// Whether Xcode made it: its signer is a certificate named `StoreKit` that signed itself.
    package let isXcode: Bool

    /// Reads a message in DER or BER.
    package init(_ bytes: [UInt8]) throws(EncodingProblem) {
        content = []
        isXcode = false
    }

    /// Whether the message is signed by a certificate below a trusted root, all of them valid at an
    /// instant: the receipt's creation date.
    package func verify(
        roots: TrustedRoots, at instant: Timestamp,
        with verifier: any SignatureVerifier = SignatureVerifiers.standard
    ) -> SignatureOutcome {
        .invalid(SignatureProblem(.signature, "verification isn't built yet"))
    }
}
