/// The spelling of what stays open for months: a name is its fingerprint, and no text is kept.
///
/// Two names of one fingerprint would be taken for one; among 2^32 names that is a chance of about
/// 1 in 2^65. Names of different roles never meet.
package enum Fingerprinted: Spelling {
    package typealias Name = Fingerprint
    package typealias Key = Fingerprint
    package typealias Text = TextSpan
}

/// Takes names that were written to how a state spells them.
package struct Respelling<S: Spelling>: Sendable {
    private let name: @Sendable (String) -> S.Name

    func callAsFunction<Role>(_ identifier: Identifier<Role, Written>) -> Identifier<
        Role, S
    > {
        Identifier(name(identifier.name))
    }
}

extension Respelling<Written> {
    /// Names stay as they are.
    static let asWritten = Respelling { $0 }
}

extension Respelling<Fingerprinted> {
    /// Names become what the decoder makes of them.
    package static let asFingerprints = Respelling { name in
        Array(name.utf8).withUnsafeBytes {
            NameTable.fingerprint(of: $0, seed: NameTable.usualSeed)
        }
    }
}
