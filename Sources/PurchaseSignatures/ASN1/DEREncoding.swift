package enum DEREncoding {
    /// The elements inside an element as a SET in DER, sorted by bytes.
    static func set(
        of element: ASN1Element, in reader: ASN1Reader
    ) throws(EncodingProblem) -> [UInt8] {
        var inside = try reader.inside(element)
        var all: [[UInt8]] = []
        while !inside.isAtEnd { all.append(try encoding(of: try inside.next(), in: inside)) }
        all.sort { $0.lexicographicallyPrecedes($1) }
        return self.element(ASN1Tag.set, all.flatMap { $0 })
    }

    /// An element in DER: definite lengths in the shortest form, strings in one piece.
    private static func encoding(
        of element: ASN1Element, in reader: ASN1Reader
    ) throws(EncodingProblem) -> [UInt8] {
        switch element.tag {
        case ASN1Tag.set: return try set(of: element, in: reader)
        case ASN1Tag.octetString | ASN1Tag.constructed:
            return self.element(ASN1Tag.octetString, try reader.octets(element))
        case _ where element.isConstructed:
            var inside = try reader.inside(element)
            var content: [UInt8] = []
            while !inside.isAtEnd {
                content.append(contentsOf: try encoding(of: try inside.next(), in: inside))
            }
            return self.element(element.tag, content)
        case let tag: return self.element(tag, Array(reader.bytes[element.content]))
        }
    }

    package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        let length = withUnsafeBytes(of: UInt64(content.count).bigEndian) {
            Array($0.drop { $0 == 0 })
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}
