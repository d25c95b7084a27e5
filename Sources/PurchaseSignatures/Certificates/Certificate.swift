import PurchaseEvents

/// An X.509 certificate (RFC 5280), read strictly from DER.
package struct Certificate: Hashable, Sendable {
    package let bytes: [UInt8]
    let signedRange: Range<Int>
    let algorithm: SignatureAlgorithm?
    /// The issuer's signature; for ECDSA, r and s in DER.
    let signature: [UInt8]
    /// The serial number, big-endian.
    package let serial: [UInt8]
    /// The encoded names of the issuer and the subject.
    package let issuer: [UInt8], subject: [UInt8]
    package let notBefore: Timestamp, notAfter: Timestamp
    package let key: PublicKey?
    let extensions: CertificateExtensions

    /// - Throws: ``EncodingProblem``, also for a signature algorithm that differs inside and
    ///   outside the signed part, a point that isn't on its curve, or a repeated extension.
    package init(_ bytes: [UInt8]) throws(EncodingProblem) {
        self.bytes = bytes
        var all = ASN1Reader(bytes, .der)
        var certificate = try all.nextInside(ASN1Tag.sequence)
        try all.finish()
        let signed = try certificate.next(ASN1Tag.sequence)
        signedRange = signed.start..<signed.end
        let outer = try certificate.next(ASN1Tag.sequence)
        signature = Array(try certificate.nextBitString())
        try certificate.finish()

        var body = try certificate.inside(signed)
        let version = try Certificate.version(&body)
        serial = Array(try body.nextIntegerBytes())
        var again = body
        algorithm = SignatureAlgorithm.certificateAlgorithm(try AlgorithmIdentifier(&again))
        let inner = try body.next(ASN1Tag.sequence)
        guard body.encoding(of: inner) == body.encoding(of: outer) else {
            throw EncodingProblem(
                outer.start, "another signature algorithm than in the signed part")
        }
        issuer = Array(body.encoding(of: try body.next(ASN1Tag.sequence)))
        var validity = try body.nextInside(ASN1Tag.sequence)
        notBefore = try validity.nextTime()
        notAfter = try validity.nextTime()
        try validity.finish()
        subject = Array(body.encoding(of: try body.next(ASN1Tag.sequence)))
        key = try PublicKey(&body)
        // The unique identifiers of issuer and subject, which are unused in practice.
        for number in [UInt8(1), 2] {
            _ = try body.next(ifTag: ASN1Tag.field(number, isConstructed: false))
        }
        extensions = try CertificateExtensions(&body, version: version)
        try body.finish()
    }

    /// The version, 1 to 3; version 1 is implicit.
    private static func version(_ body: inout ASN1Reader) throws(EncodingProblem) -> Int {
        let start = body.position
        guard let field = try body.next(ifTag: ASN1Tag.field(0)) else { return 1 }
        var inside = try body.inside(field)
        let number = try inside.nextInteger()
        try inside.finish()
        guard number == 1 || number == 2 else {
            throw EncodingProblem(start, "certificate version number \(number), expected 1 or 2")
        }
        return Int(number) + 1
    }

    func isValid(at instant: Timestamp) -> Bool { notBefore <= instant && instant <= notAfter }

    func isSigned(by issuer: PublicKey, _ verifier: any SignatureVerifier) -> Bool {
        guard let algorithm, let signature = issuer.signature(certificate: signature) else {
            return false
        }
        return bytes.withUnsafeBytes { bytes in
            verifier.isValid(
                signature, of: UnsafeRawBufferPointer(rebasing: bytes[signedRange]),
                under: issuer, algorithm)
        }
    }
}

extension PublicKey {
    /// The signature in the form for a ``SignatureVerifier``; `nil` if it isn't valid DER.
    fileprivate func signature(certificate bytes: [UInt8]) -> [UInt8]? {
        switch self {
        case .p256: ECDSASignature.fixedWidth(der: bytes, width: 32)
        case .p384: ECDSASignature.fixedWidth(der: bytes, width: 48)
        case .rsa: bytes
        }
    }
}
