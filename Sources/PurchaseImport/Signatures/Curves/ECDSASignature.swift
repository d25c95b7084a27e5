/// ECDSA signatures in the encoding of certificates.
enum ECDSASignature {
    /// The numbers r and s, each as wide as the curve, of a DER SEQUENCE of two INTEGERs; `nil` where
    /// the bytes are anything else, or a number is negative or wider.
    static func fixedWidth(der bytes: [UInt8], width: Int) -> [UInt8]? {
        var reader = ASN1Reader(bytes, .der)
        guard var numbers = try? reader.nextInside(ASN1Tag.sequence), reader.isAtEnd,
            let r = try? numbers.nextNatural(), let s = try? numbers.nextNatural(),
            numbers.isAtEnd, r.count <= width, s.count <= width
        else { return nil }
        return [UInt8](repeating: 0, count: width - r.count) + r
            + [UInt8](repeating: 0, count: width - s.count) + s
    }
}
