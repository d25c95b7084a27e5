#if canImport(CryptoKit) && canImport(Security)
    import PurchaseSignatures

    /// Verifies signatures with CryptoKit and Security, where they exist.
    public typealias PlatformVerifier = PurchaseSignatures.PlatformVerifier
#endif
