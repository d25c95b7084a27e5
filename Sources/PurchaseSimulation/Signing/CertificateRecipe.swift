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
        (self.key, self.subject, self.issuer) = (key, subject, issuer)
        (self.notBefore, self.notAfter) = (notBefore, notAfter)
    }

    /// The certificate in DER, signed by its issuer.
    package func signed(by issuerKey: Key) -> [UInt8] {
        let signed = DERWriter.element(0x30, body.flatMap { $0 })
        return DERWriter.sequence(
            signed, Self.identifier(of: algorithm),
            DERWriter.bits(issuerKey.certificateSignature(of: signed, algorithm)))
    }

    private var body: [[UInt8]] {
        var body: [[UInt8]] =
            version == 1 ? [] : [DERWriter.field(0, DERWriter.integer(version - 1))]
        body += [
            DERWriter.integer(serial), Self.identifier(of: algorithm), DERWriter.name(issuer),
            DERWriter.sequence(DERWriter.time(notBefore), DERWriter.time(notAfter)),
            DERWriter.name(subject),
            key.subjectPublicKeyInfo,
        ]
        if version == 3 { body.append(DERWriter.field(3, DERWriter.element(0x30, extensions))) }
        return body
    }

    private var extensions: [UInt8] {
        var all: [[UInt8]] = []
        if let isAuthority {
            let flag = isAuthority ? DERWriter.boolean(true) : []
            let length = pathLength.map { DERWriter.integer($0) } ?? []
            all.append(Self.one("2.5.29.19", true, DERWriter.sequence(flag, length)))
        }
        if let keyUsage {
            let unused = UInt8(keyUsage.trailingZeroBitCount)
            all.append(Self.one("2.5.29.15", true, DERWriter.element(0x03, [unused, keyUsage])))
        }
        all += others.map { Self.one($0.identifier, $0.isCritical, $0.value) }
        return all.flatMap { $0 }
    }

    private static func one(_ identifier: String, _ isCritical: Bool, _ value: [UInt8]) -> [UInt8] {
        DERWriter.sequence(
            DERWriter.identifier(identifier), isCritical ? DERWriter.boolean(true) : [],
            DERWriter.octets(value))
    }

    /// An algorithm identifier as certificates encode it.
    package static func identifier(of algorithm: SignatureAlgorithm) -> [UInt8] {
        switch algorithm {
        case .ecdsaSHA256: DERWriter.sequence(DERWriter.identifier("1.2.840.10045.4.3.2"))
        case .ecdsaSHA384: DERWriter.sequence(DERWriter.identifier("1.2.840.10045.4.3.3"))
        case .rsaSHA1:
            DERWriter.sequence(DERWriter.identifier("1.2.840.113549.1.1.5"), DERWriter.null)
        case .rsaSHA256:
            DERWriter.sequence(DERWriter.identifier("1.2.840.113549.1.1.11"), DERWriter.null)
        }
    }
}
