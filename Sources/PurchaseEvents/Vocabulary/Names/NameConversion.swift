package struct NameConversion<S: Spelling>: Sendable {
    private let name: @Sendable (String) -> S.Name

    func callAsFunction<Role>(_ identifier: Identifier<Role, Written>) -> Identifier<Role, S> {
        Identifier(name(identifier.name))
    }
}

extension NameConversion<Written> {
    static let asWritten = NameConversion { $0 }
}

extension NameConversion<Fingerprinted> {
    /// Converts names to the fingerprints that a decoder with the same key makes.
    package static func asFingerprints(under key: HashKey = .ofProcess) -> NameConversion {
        NameConversion { NameTable.fingerprint(of: $0, key) }
    }
}
