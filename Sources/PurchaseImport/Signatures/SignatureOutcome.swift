/// Whether a signature and the certificates behind it hold.
public enum SignatureOutcome: Hashable, Sendable {
    /// The signature and every certificate hold.
    case valid
    /// A step of the verification failed; no later step was tried.
    case invalid(SignatureProblem)

    /// Whether everything holds.
    public var isValid: Bool { self == .valid }
}

/// The first step of a verification that failed, and why.
public struct SignatureProblem: Error, Hashable, Sendable {
    /// The step that failed.
    public var step: SignatureStep
    /// What was seen and what was expected: lower case, no full stop, and no byte of the input that
    /// could be part of a secret or drive a terminal.
    public var message: String

    /// A failed step with its message.
    public init(_ step: SignatureStep, _ message: String) {
        self.step = step
        self.message = message
    }
}

/// The steps of a verification, in the order in which they are tried.
public enum SignatureStep: String, CaseIterable, Hashable, Sendable {
    /// The message has the form of its kind: three parts of base64url, or CMS SignedData.
    case form
    /// The header of a JWS is a JSON object.
    case header
    /// The message names an algorithm that is accepted.
    case algorithm
    /// A CMS message has one signer, and certificates of its chain alone.
    case signer
    /// The certificates that are needed are there, and each can be read.
    case certificates
    /// The chain ends at a trusted root.
    case root
    /// Each certificate names the next one as its issuer.
    case issuer
    /// The keys of the certificates are of the kinds that are accepted.
    case key
    /// Each issuer may issue certificates, and the leaf may sign.
    case authority
    /// No certificate has a critical extension that isn't understood.
    case extensions
    /// The leaf and the intermediate carry Apple's marker extensions.
    case markers
    /// Each certificate is signed by the next.
    case chain
    /// Each certificate is valid at the instant of the message.
    case dates
    /// The digest that a CMS message states equals the digest of its content.
    case digest
    /// The signature over the message holds under the key of the leaf.
    case signature
}
