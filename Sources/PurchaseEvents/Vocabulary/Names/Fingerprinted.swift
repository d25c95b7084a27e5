/// The spelling of state kept for months: each name is its fingerprint, and no text is stored.
///
/// Two names with equal fingerprints would count as one. The two halves of a fingerprint have keys
/// of their own, random and secret (``HashKey``), so nobody can choose such names, and among 2^32
/// names the chance is about 1 in 2^65. Names of different roles are never compared.
package enum Fingerprinted: Spelling {
    package typealias Name = Fingerprint
    package typealias Key = Fingerprint
    package typealias Text = TextSpan
}

/// Converts names as written to the spelling of a state.
package struct Respelling<S: Spelling>: Sendable {
    private let name: @Sendable (String) -> S.Name

    func callAsFunction<Role>(_ identifier: Identifier<Role, Written>) -> Identifier<
        Role, S
    > {
        Identifier(name(identifier.name))
    }
}

extension Respelling<Written> {
    /// Keeps names as they are.
    static let asWritten = Respelling { $0 }
}

extension Respelling<Fingerprinted> {
    /// Converts names to the fingerprints that a decoder with the same key makes.
    package static func asFingerprints(under key: HashKey = .ofProcess) -> Respelling {
        Respelling { name in
            Array(name.utf8).withUnsafeBytes { NameTable.fingerprint(of: $0, key) }
        }
    }
}
