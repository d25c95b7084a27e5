import PurchaseEvents
import PurchaseSignatures

/// An authority that signs payloads as the App Store does, with keys derived from a seed.
///
/// For tests alone: whoever knows the seed can sign, so trust its root only where you test. Its
/// certificates are made like those of the App Store: a root and an intermediate with keys of
/// P-384, a leaf with a key of P-256, and Apple's marker extensions. The same seed and instant give
/// the same bytes.
package struct SigningAuthority: Sendable {
    /// The certificates in DER: leaf, intermediate, root.
    package let certificates: [[UInt8]]
    private let leaf: ECDSAKey
    /// The encoded header of every payload, and a dot.
    private let head: [UInt8]

    /// Makes keys and certificates.
    ///
    /// Costs three signatures, and the tables of both curves at the first use.
    ///
    /// - Parameters:
    ///   - seed: What the keys are derived from.
    ///   - instant: The start of what will be signed. The leaf is valid from a year before to 40
    ///     years after, the certificates above it longer.
    package init(seed: UInt64, at instant: Timestamp) {
        func recipe(_ curve: SigningCurve, _ role: CertificateRole, by issuer: CertificateRole)
            -> CertificateRecipe<ECDSAKey>
        {
            var recipe = CertificateRecipe(
                key: ECDSAKey(curve, seed: "simulated app store \(role.rawValue) \(seed) "),
                subject: role.name, issuer: issuer.name,
                notBefore: role.start(instant), notAfter: role.end(instant))
            recipe.serial = role.serial
            recipe.algorithm = .ecdsaSHA384
            recipe.isAuthority = role != .leaf
            recipe.keyUsage = role == .leaf ? 0x80 : 0x06
            return recipe
        }
        var root = recipe(.p384, .root, by: .root)
        var intermediate = recipe(.p384, .intermediate, by: .root)
        intermediate.pathLength = 0
        var leaf = recipe(.p256, .leaf, by: .intermediate)
        let identifiers = [root, intermediate, leaf].map(\.keyIdentifier)
        root.others = [root.subjectKey(identifiers[0])]
        intermediate.others = [
            intermediate.authorityKey(identifiers[0]), intermediate.subjectKey(identifiers[1]),
            (CertificateRecipe<ECDSAKey>.intermediateMarker, false, DERWriter.null),
        ]
        leaf.others = [
            leaf.authorityKey(identifiers[1]), leaf.subjectKey(identifiers[2]),
            (CertificateRecipe<ECDSAKey>.leafMarker, false, DERWriter.null),
        ]
        certificates = [
            leaf.signed(by: intermediate.key), intermediate.signed(by: root.key),
            root.signed(by: root.key),
        ]
        self.leaf = leaf.key
        let list = certificates.map { "\"\(String(decoding: Base64.encode($0), as: UTF8.self))\"" }
        let header = "{\"alg\":\"ES256\",\"x5c\":[\(list.joined(separator: ","))]}"
        head = Base64.encodeURL(Array(header.utf8)) + [UInt8(ascii: ".")]
    }

    /// The root as a file in PEM, to be trusted with `--root`.
    package var rootPEM: String { String(decoding: PEM.text(certificates[2]), as: UTF8.self) }

    /// A payload in compact form, with the certificates in its header (RFC 7515).
    ///
    /// Costs one signature.
    package func signed(_ payload: String) -> String {
        String(decoding: signed(Array(payload.utf8)), as: UTF8.self)
    }

    /// The bytes of a payload in compact form.
    package func signed(_ payload: [UInt8]) -> [UInt8] {
        let input = head + Base64.encodeURL(payload)
        let signature = leaf.signature(of: input, .ecdsaSHA256)
        return input + [UInt8(ascii: ".")] + Base64.encodeURL(signature)
    }
}

/// The place of a certificate in the chain.
private enum CertificateRole: String {
    case root, intermediate, leaf

    var name: String { "Simulated App Store \(rawValue)" }

    var serial: Int64 {
        switch self {
        case .root: 1
        case .intermediate: 2
        case .leaf: 3
        }
    }

    /// Years before and after the start of what is signed.
    private var years: (before: Int64, after: Int64) {
        switch self {
        case .root: (10, 50)
        case .intermediate: (5, 45)
        case .leaf: (1, 40)
        }
    }

    func start(_ instant: Timestamp) -> Timestamp {
        max(
            Timestamp(milliseconds: 0),
            instant.advanced(byMilliseconds: -years.before * 365 * Timestamp.day))
    }

    func end(_ instant: Timestamp) -> Timestamp {
        min(.latest, instant.advanced(byMilliseconds: years.after * 365 * Timestamp.day))
    }
}

extension CertificateRecipe {
    fileprivate typealias Extension = (identifier: String, isCritical: Bool, value: [UInt8])

    /// The name of the key in the extensions: 160 bits of the hash of its encoding (RFC 7093, 2).
    fileprivate var keyIdentifier: [UInt8] {
        Array(HashFunction.sha256.hash(key.subjectPublicKeyInfo[...]).prefix(20))
    }

    fileprivate func subjectKey(_ identifier: [UInt8]) -> Extension {
        ("2.5.29.14", false, DERWriter.octets(identifier))
    }

    fileprivate func authorityKey(_ identifier: [UInt8]) -> Extension {
        ("2.5.29.35", false, DERWriter.sequence(DERWriter.element(0x80, identifier)))
    }
}
