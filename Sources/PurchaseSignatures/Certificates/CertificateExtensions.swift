/// The extensions of a certificate that a chain requires (RFC 5280, 4.2).
struct CertificateExtensions: Hashable, Sendable {
    /// Whether the certificate may issue others; `nil` without basic constraints.
    private(set) var isAuthority: Bool?
    /// The most certificates allowed between this one and the leaf; `nil` for any number.
    private(set) var pathLength: Int?
    /// The bits of the key usage, the first bit highest; `nil` if any usage is allowed.
    private(set) var keyUsage: UInt8?
    private(set) var markers: Set<ObjectIdentifier> = []
    private(set) var unknownCritical: ObjectIdentifier?

    static let digitalSignature: UInt8 = 0x80, certificateSigning: UInt8 = 0x04

    /// The marker of the certificates that sign App Store data.
    static let leafMarker = ObjectIdentifier(1, 2, 840, 113_635, 100, 6, 11, 1)
    /// The marker of the intermediate certificates.
    static let intermediateMarker = ObjectIdentifier(1, 2, 840, 113_635, 100, 6, 2, 1)

    private static let basicConstraints = ObjectIdentifier(2, 5, 29, 19)
    private static let keyUsage = ObjectIdentifier(2, 5, 29, 15)

    /// Reads the extensions of a certificate, if any; only version 3 has them.
    init(_ body: inout ASN1Reader, version: Int) throws(EncodingProblem) {
        let start = body.position
        guard let field = try body.next(ifTag: ASN1Tag.field(3)) else { return }
        guard version == 3 else {
            throw EncodingProblem(start, "extensions in version \(version), expected version 3")
        }
        var inside = try body.inside(field)
        var list = try inside.nextInside(ASN1Tag.sequence)
        try inside.finish()
        var seen: Set<ObjectIdentifier> = []
        while !list.isAtEnd {
            let start = list.position
            var one = try list.nextInside(ASN1Tag.sequence)
            let identifier = try one.nextIdentifier()
            let isCritical = one.nextTag == ASN1Tag.boolean ? try one.nextBoolean() : false
            let value = try one.nextOctets()
            try one.finish()
            guard seen.insert(identifier).inserted else {
                throw EncodingProblem(start, "the extension \(identifier) twice")
            }
            do throws(EncodingProblem) {
                try take(identifier, value, isCritical)
            } catch {
                throw EncodingProblem(start, "the extension \(identifier): \(error.message)")
            }
        }
    }

    private mutating func take(
        _ identifier: ObjectIdentifier, _ value: [UInt8], _ isCritical: Bool
    ) throws(EncodingProblem) {
        var reader = ASN1Reader(value, .der)
        switch identifier {
        case CertificateExtensions.basicConstraints:
            var inside = try reader.nextInside(ASN1Tag.sequence)
            isAuthority = inside.nextTag == ASN1Tag.boolean ? try inside.nextBoolean() : false
            if !inside.isAtEnd { pathLength = Int(try inside.nextInteger()) }
            try inside.finish()
            try reader.finish()
        case CertificateExtensions.keyUsage:
            let bits = try reader.next(ASN1Tag.bitString)
            try reader.finish()
            // The content is the number of unused bits in the last byte, then the bytes.
            let content = value[bits.content]
            guard content.count >= 2 else { throw EncodingProblem(bits.start, "no bits of usage") }
            keyUsage = content[content.startIndex + 1]
        case CertificateExtensions.leafMarker, CertificateExtensions.intermediateMarker:
            markers.insert(identifier)
        default:
            if isCritical { unknownCritical = unknownCritical ?? identifier }
        }
    }
}
