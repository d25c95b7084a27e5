enum ECDSASignature {
    /// The numbers r and s of a DER SEQUENCE of two INTEGERs, each as wide as the curve; `nil` for
    /// any other bytes, and for a negative or wider number.
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
