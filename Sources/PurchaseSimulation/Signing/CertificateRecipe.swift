import PurchaseEvents
import PurchaseSignatures

/// The contents of a certificate, each of which a test may change.
package struct CertificateRecipe<Key: SigningKey>: Sendable {
    package var key: Key
    package var subject: String
    package var issuer: String
    package var serial: Int64 = 1
    package var notBefore: Timestamp, notAfter: Timestamp
    /// The version: 1 has no extensions, 3 has them.
    package var version: Int64 = 3
    /// Whether it is an authority; `nil` omits the basic constraints.
    package var isAuthority: Bool?
    package var pathLength: Int64?
    /// The bits of the key usage; `nil` omits it.
    package var keyUsage: UInt8?
    /// Further extensions: identifier, whether it is critical, and value.
    package var others: [(identifier: String, isCritical: Bool, value: [UInt8])] = []
    /// The algorithm of the issuer's signature.
    package var algorithm: SignatureAlgorithm = .ecdsaSHA256

    /// Apple's marker of the certificates that sign App Store data.
    package static var leafMarker: String { "1.2.840.113635.100.6.11.1" }
    /// Apple's marker of the intermediate certificates.
    package static var intermediateMarker: String { "1.2.840.113635.100.6.2.1" }

    package init(
        key: Key, subject: String, issuer: String, notBefore: Timestamp, notAfter: Timestamp
    ) {
        self.key = key
        self.subject = subject
        self.issuer = issuer
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// The certificate in DER, signed by its issuer.
    package func signed(by issuerKey: Key) -> [UInt8] {
        let signed = DER.element(0x30, body.flatMap { $0 })
        return DER.sequence(
            signed, Self.identifier(of: algorithm),
            DER.bits(issuerKey.certificateSignature(of: signed, algorithm)))
    }

    private var body: [[UInt8]] {
        var body: [[UInt8]] = version == 1 ? [] : [DER.field(0, DER.integer(version - 1))]
        body += [
            DER.integer(serial), Self.identifier(of: algorithm), DER.name(issuer),
            DER.sequence(DER.time(notBefore), DER.time(notAfter)), DER.name(subject),
            key.subjectPublicKeyInfo,
        ]
        if version == 3 { body.append(DER.field(3, DER.element(0x30, extensions))) }
        return body
    }

    private var extensions: [UInt8] {
        var all: [[UInt8]] = []
        if let isAuthority {
            let flag = isAuthority ? DER.boolean(true) : []
            let length = pathLength.map { DER.integer($0) } ?? []
            all.append(Self.one("2.5.29.19", true, DER.sequence(flag, length)))
        }
        if let keyUsage {
            let unused = UInt8(keyUsage.trailingZeroBitCount)
            all.append(Self.one("2.5.29.15", true, DER.element(0x03, [unused, keyUsage])))
        }
        all += others.map { Self.one($0.identifier, $0.isCritical, $0.value) }
        return all.flatMap { $0 }
    }

    private static func one(
        _ identifier: String, _ isCritical: Bool, _ value: [UInt8]
    ) -> [UInt8] {
        DER.sequence(
            DER.identifier(identifier), isCritical ? DER.boolean(true) : [], DER.octets(value))
    }

    /// An algorithm identifier as certificates encode it.
    package static func identifier(of algorithm: SignatureAlgorithm) -> [UInt8] {
        switch algorithm {
        case .ecdsaSHA256: DER.sequence(DER.identifier("1.2.840.10045.4.3.2"))
        case .ecdsaSHA384: DER.sequence(DER.identifier("1.2.840.10045.4.3.3"))
        case .rsaSHA1: DER.sequence(DER.identifier("1.2.840.113549.1.1.5"), DER.null)
        case .rsaSHA256: DER.sequence(DER.identifier("1.2.840.113549.1.1.11"), DER.null)
        }
    }
}
