import PurchaseEvents

/// Verifies signed payloads of the App Store: the signature, and the certificates up to a trusted
/// root.
///
/// A chain of certificates that held before isn't verified again; the dates of its certificates are
/// held against the instant of each payload. Safe to use from many threads at once. It asks nobody:
/// whether a certificate was revoked isn't known.
public final class JWSVerifier: Sendable {
    private let roots: TrustedRoots
    private let verifier: any SignatureVerifier

    /// A verifier that trusts those roots.
    public init(
        roots: TrustedRoots = .apple, verifier: any SignatureVerifier = SignatureVerifiers.standard
    ) {
        self.roots = roots
        self.verifier = verifier
    }

    /// Whether a payload is what the App Store signed, with certificates that were valid at an
    /// instant: the payload's `signedDate`, or the `receiptCreationDate` of an app transaction.
    public func verify(_ jws: JWS, at instant: Timestamp) -> SignatureOutcome {
        .invalid(SignatureProblem(.signature, "verification isn't built yet"))
    }
}
