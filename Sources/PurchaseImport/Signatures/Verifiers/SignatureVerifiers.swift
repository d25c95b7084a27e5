/// The implementations of ``SignatureVerifier`` that this platform has.
public enum SignatureVerifiers {
    /// All of them; the tests hold each against the same vectors.
    public static let all: [any SignatureVerifier] = [PortableVerifier()]

    /// The one that is used where none is named.
    public static let standard: any SignatureVerifier = all[0]
}
