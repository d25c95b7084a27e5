/// The implementations of ``SignatureVerifier`` on this platform.
public enum SignatureVerifiers {
    /// All implementations; the tests check each with the same vectors.
    public static let all: [any SignatureVerifier] = {
        #if canImport(CryptoKit) && canImport(Security)
            return [PortableVerifier(), PlatformVerifier()]
        #else
            return [PortableVerifier()]
        #endif
    }()

    /// The default: the platform's implementation, if there is one.
    public static let standard: any SignatureVerifier = all[all.count - 1]
}
