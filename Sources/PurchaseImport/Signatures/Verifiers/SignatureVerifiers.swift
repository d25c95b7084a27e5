/// The implementations of ``SignatureVerifier`` that this platform has.
public enum SignatureVerifiers {
    /// All of them; the tests hold each against the same vectors.
    public static let all: [any SignatureVerifier] = {
        #if canImport(CryptoKit) && canImport(Security)
            return [PortableVerifier(), PlatformVerifier()]
        #else
            return [PortableVerifier()]
        #endif
    }()

    /// The one that is used where none is named: the platform's, where it has one.
    public static let standard: any SignatureVerifier = all[all.count - 1]
}
