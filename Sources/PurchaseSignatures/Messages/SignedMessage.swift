import PurchaseEvents

/// A CMS SignedData message (RFC 5652), the form of App Store receipts.
package struct SignedMessage: Sendable {
    /// A reader of the content, the SET of a receipt's attributes, without the extra OCTET STRING
    /// that Xcode wraps it in.
    package let reader: ASN1Reader
    let signedContent: [UInt8]
    let version: Int64
    /// The stated digest functions; `nil` for an unknown one.
    let digests: [HashFunction?]
    let certificates: [[UInt8]]
    let signers: [MessageSigner]
    /// Whether the message has revocation lists, which the signature doesn't cover.
    let hasRevocations: Bool

    private static let signedData = ObjectIdentifier(1, 2, 840, 113_549, 1, 7, 2)
    static let data = ObjectIdentifier(1, 2, 840, 113_549, 1, 7, 1)

    /// Reads a message in DER or BER; refuses what isn't SignedData, lacks content or trails it.
    package init(_ bytes: [UInt8]) throws(EncodingProblem) {
        var all = ASN1Reader(bytes, .ber)
        var info = try all.nextInside(ASN1Tag.sequence)
        try all.finish()
        try SignedMessage.expect(signedData: &info)
        var field = try info.nextInside(ASN1Tag.field(0))
        try info.finish()
        var message = try field.nextInside(ASN1Tag.sequence)
        try field.finish()

        version = try message.nextInteger()
        var functions = try message.nextInside(ASN1Tag.set)
        var digests: [HashFunction?] = []
        while !functions.isAtEnd {
            digests.append(HashFunction.messageDigest(try AlgorithmIdentifier(&functions)))
        }
        self.digests = digests
        let signed = try SignedMessage.content(of: &message)
        signedContent = signed.bytes
        reader = SignedMessage.unwrapped(signed)
        var certificates: [[UInt8]] = []
        if let field = try message.next(ifTag: ASN1Tag.field(0)) {
            var list = try message.inside(field)
            while !list.isAtEnd { certificates.append(Array(list.encoding(of: try list.next()))) }
        }
        self.certificates = certificates
        hasRevocations = try message.next(ifTag: ASN1Tag.field(1)) != nil
        var list = try message.nextInside(ASN1Tag.set)
        var signers: [MessageSigner] = []
        while !list.isAtEnd { signers.append(try MessageSigner(&list)) }
        self.signers = signers
        try message.finish()
    }

    private static func expect(signedData reader: inout ASN1Reader) throws(EncodingProblem) {
        let start = reader.position
        let seen = try reader.nextIdentifier()
        guard seen == signedData else {
            throw EncodingProblem(
                start, "content of type \(seen), expected signed data \(signedData)")
        }
    }

    private static func content(
        of message: inout ASN1Reader
    ) throws(EncodingProblem) -> ASN1Reader {
        var info = try message.nextInside(ASN1Tag.sequence)
        let start = info.position
        let seen = try info.nextIdentifier()
        guard seen == data else {
            throw EncodingProblem(start, "content of type \(seen), expected data \(data)")
        }
        guard let field = try info.next(ifTag: ASN1Tag.field(0)) else {
            throw EncodingProblem(info.position, "a detached message, expected its content in it")
        }
        try info.finish()
        var inside = try info.inside(field)
        let content = try inside.nextInsideOctets()
        try inside.finish()
        return content
    }

    /// A reader of the OCTET STRING that spans the content; otherwise a reader of the content.
    private static func unwrapped(_ content: ASN1Reader) -> ASN1Reader {
        var reader = content
        guard let inner = try? reader.nextInsideOctets(), reader.isAtEnd else { return content }
        return inner
    }
}
