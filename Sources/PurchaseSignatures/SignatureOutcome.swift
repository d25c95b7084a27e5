/// The outcome of verifying a signature and its certificates.
public enum SignatureOutcome: Hashable, Sendable {
    /// The signature and every certificate are valid.
    case valid
    /// A step of the verification failed; no later step was tried.
    case invalid(SignatureProblem)

    /// Whether the outcome is `valid`.
    public var isValid: Bool { self == .valid }
}

/// The first step of a verification that failed, and why.
public struct SignatureProblem: Error, Hashable, Sendable {
    /// The step that failed.
    public var step: SignatureStep
    /// What was seen and what was expected, in lower case without a full stop.
    ///
    /// The message quotes no secret and no control character of the input.
    public var message: String

    /// Creates a problem from the failed step and a message.
    public init(_ step: SignatureStep, _ message: String) {
        self.step = step
        self.message = message
    }
}

/// The steps of a verification, in order; for a receipt, `signer` comes before `algorithm`.
public enum SignatureStep: String, CaseIterable, Hashable, Sendable {
    /// A JWS has three parts of base64url.
    case form
    /// The header of a JWS is a JSON object.
    case header
    /// The message names an accepted algorithm.
    case algorithm
    /// A CMS message has one signer, of version 1, and no parts that its signature doesn't cover.
    case signer
    /// The required certificates are present and well-formed.
    case certificates
    /// The chain ends at a trusted root.
    case root
    /// Each certificate names the next one as its issuer.
    case issuer
    /// The keys of the certificates are of accepted kinds.
    case key
    /// Each issuer may issue certificates, and the leaf may sign.
    case authority
    /// No certificate has an unknown critical extension.
    case extensions
    /// The leaf and the intermediate carry Apple's marker extensions.
    case markers
    /// Each certificate is signed by the next.
    case chain
    /// Each certificate is valid at the instant of the message.
    case dates
    /// The stated digest of a CMS message equals the digest of its content.
    case digest
    /// The signature of the message is valid under the key of the leaf.
    case signature
}
