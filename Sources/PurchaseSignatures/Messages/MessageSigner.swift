/// One signer of a CMS message (RFC 5652, 5.3).
struct MessageSigner: Sendable {
    var version: Int64
    /// The issuer and serial number of the certificate, unless a key identifier names the signer.
    var issuer: [UInt8]?, serial: [UInt8]?
    var digest: HashFunction?
    /// The signed attributes in DER, as a SET; `nil` if the signature covers the content directly.
    var signedAttributes: [UInt8]?
    var algorithm: AlgorithmIdentifier
    var signature: [UInt8]
    var hasUnsignedAttributes: Bool

    init(_ reader: inout ASN1Reader) throws(EncodingProblem) {
        var signer = try reader.nextInside(ASN1Tag.sequence)
        version = try signer.nextInteger()
        if signer.nextTag == ASN1Tag.sequence {
            var name = try signer.nextInside(ASN1Tag.sequence)
            issuer = Array(name.encoding(of: try name.next(ASN1Tag.sequence)))
            serial = Array(try name.nextIntegerBytes())
            try name.finish()
        } else {
            _ = try signer.next(ASN1Tag.field(0, isConstructed: false))
        }
        digest = HashFunction.messageDigest(try AlgorithmIdentifier(&signer))
        if let field = try signer.next(ifTag: ASN1Tag.field(0)) {
            signedAttributes = try DEREncoding.set(of: field, in: signer)
        }
        algorithm = try AlgorithmIdentifier(&signer)
        signature = try signer.nextOctets()
        hasUnsignedAttributes = try signer.next(ifTag: ASN1Tag.field(1)) != nil
        try signer.finish()
    }

    /// With SHA-1, only `rsaEncryption` is accepted: `sha1WithRSA` differs in a single bit, which
    /// the signature doesn't cover.
    var signatureAlgorithm: SignatureAlgorithm? {
        guard algorithm.parameters == .null else { return nil }
        return switch (digest, algorithm.identifier) {
        case (.sha1, AlgorithmIdentifier.rsaEncryption): .rsaSHA1
        case (.sha256, AlgorithmIdentifier.rsaEncryption),
            (.sha256, AlgorithmIdentifier.sha256WithRSA):
            .rsaSHA256
        default: nil
        }
    }

    private static let contentType = ObjectIdentifier(1, 2, 840, 113_549, 1, 9, 3)
    private static let messageDigest = ObjectIdentifier(1, 2, 840, 113_549, 1, 9, 4)

    /// The problem with the signed attributes, unless they state the digest of the content.
    func attributeProblem(digestOfContent: [UInt8]) -> SignatureProblem? {
        guard let signedAttributes else { return nil }
        var values: [ObjectIdentifier: [ArraySlice<UInt8>]] = [:]
        do throws(EncodingProblem) {
            var all = ASN1Reader(signedAttributes, .der)
            var list = try all.nextInside(ASN1Tag.set)
            while !list.isAtEnd {
                var attribute = try list.nextInside(ASN1Tag.sequence)
                let identifier = try attribute.nextIdentifier()
                var set = try attribute.nextInside(ASN1Tag.set)
                try attribute.finish()
                while !set.isAtEnd {
                    values[identifier, default: []].append(set.encoding(of: try set.next()))
                }
            }
        } catch {
            return SignatureProblem(.digest, "the signed attributes aren't DER: \(error)")
        }
        let type = SignedMessage.data.encoded
        let expectedType = [ASN1Tag.objectIdentifier, UInt8(type.count)] + type
        guard values[MessageSigner.contentType] == [expectedType[...]] else {
            return SignatureProblem(.digest, "the signed attributes state no content type `data`")
        }
        let expected = [ASN1Tag.octetString, UInt8(digestOfContent.count)] + digestOfContent
        guard let stated = values[MessageSigner.messageDigest], stated.count == 1 else {
            return SignatureProblem(.digest, "the signed attributes state no single digest")
        }
        guard stated == [expected[...]] else {
            return SignatureProblem(.digest, "the stated digest isn't the content's digest")
        }
        return nil
    }
}
