/// Reads the elements of an ASN.1 encoding (X.690), one after another, without copying.
///
/// ``Rules/der`` accepts one encoding for each value. ``Rules/ber`` also accepts indefinite
/// lengths, lengths with leading zeros, and strings in pieces.
package struct ASN1Reader: Sendable {
    package enum Rules: Sendable {
        case der, ber
    }

    /// The maximum nesting depth of elements, including those in the bytes of other elements.
    package static let maximumDepth = 32

    /// All bytes, of which the reader may read a part; offsets count from their start.
    package let bytes: [UInt8]
    package let rules: Rules
    package private(set) var position: Int
    private let end: Int
    private let depth: Int

    /// Creates a reader of bytes that no element holds; ``nextInsideOctets()`` reads those of one.
    package init(_ bytes: [UInt8], _ rules: Rules) {
        self.bytes = bytes
        self.rules = rules
        position = 0
        end = bytes.count
        depth = 0
    }

    /// Creates a reader of bytes that an element at an offset of another reader holds.
    private init(
        _ bytes: [UInt8], _ range: Range<Int>, inside outer: ASN1Reader, at offset: Int
    ) throws(EncodingProblem) {
        self.bytes = bytes
        rules = outer.rules
        position = range.lowerBound
        end = range.upperBound
        depth = outer.depth + 1
        guard depth <= ASN1Reader.maximumDepth else {
            throw EncodingProblem(
                offset, "elements are nested more than \(ASN1Reader.maximumDepth) deep")
        }
    }

    package var isAtEnd: Bool { position >= end }

    package var nextTag: UInt8? { isAtEnd ? nil : bytes[position] }

    /// The bytes of an element, including its header.
    package func encoding(of element: ASN1Element) -> ArraySlice<UInt8> {
        bytes[element.start..<element.end]
    }

    package func inside(_ element: ASN1Element) throws(EncodingProblem) -> ASN1Reader {
        guard element.isConstructed else {
            throw EncodingProblem(
                element.start, "\(ASN1Tag.words(element.tag)) is primitive, expected constructed")
        }
        return try ASN1Reader(bytes, element.content, inside: self, at: element.start)
    }

    /// A reader of the bytes of the next element, an OCTET STRING, whole or in pieces; offsets
    /// count from their start. They are one level deeper, however often bytes are wrapped.
    package mutating func nextInsideOctets() throws(EncodingProblem) -> ASN1Reader {
        let start = position
        let octets = try nextOctets()
        return try ASN1Reader(octets, 0..<octets.count, inside: self, at: start)
    }

    package mutating func next() throws(EncodingProblem) -> ASN1Element {
        let start = position
        let tag = try byte("the tag of an element")
        guard tag & 0x1F != 0x1F else {
            throw EncodingProblem(start, "a tag number above 30, expected one of one byte")
        }
        guard tag != 0 else {
            throw EncodingProblem(
                start, "end-of-contents octets where no indefinite length is open")
        }
        if position < end, bytes[position] == 0x80 { return try indefinite(tag, start) }
        let length = try self.length()
        guard length <= end - position else {
            throw EncodingProblem(
                start, "a length of \(length) bytes where \(end - position) are left")
        }
        let content = position..<position + length
        position = content.upperBound
        return ASN1Element(tag: tag, start: start, content: content, end: position)
    }

    package mutating func next(_ tag: UInt8) throws(EncodingProblem) -> ASN1Element {
        guard let element = try next(ifTag: tag) else {
            let seen = nextTag.map(ASN1Tag.words) ?? "the end"
            throw EncodingProblem(position, "seen \(seen), expected \(ASN1Tag.words(tag))")
        }
        return element
    }

    package mutating func next(ifTag tag: UInt8) throws(EncodingProblem) -> ASN1Element? {
        nextTag == tag ? try next() : nil
    }

    package mutating func nextInside(_ tag: UInt8) throws(EncodingProblem) -> ASN1Reader {
        try inside(try next(tag))
    }

    package func finish() throws(EncodingProblem) {
        guard isAtEnd else {
            throw EncodingProblem(position, "\(end - position) bytes more than expected")
        }
    }

    // MARK: Headers

    private mutating func byte(_ what: String) throws(EncodingProblem) -> UInt8 {
        guard position < end else {
            throw EncodingProblem(position, "seen the end, expected \(what)")
        }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func length() throws(EncodingProblem) -> Int {
        let start = position
        let first = try byte("a length")
        guard first >= 0x80 else { return Int(first) }
        let count = Int(first & 0x7F)
        var length = 0
        for _ in 0..<count {
            let next = try byte("a byte of a length")
            guard length <= Int.max >> 8 else {
                throw EncodingProblem(start, "a length of more than 63 bits")
            }
            length = length << 8 | Int(next)
        }
        let isShortest = length >= 0x80 && bytes[start + 1] != 0
        guard rules == .ber || isShortest else {
            throw EncodingProblem(start, "a length in more bytes than it needs, expected DER")
        }
        return length
    }

    private mutating func indefinite(
        _ tag: UInt8, _ start: Int
    ) throws(EncodingProblem) -> ASN1Element {
        guard rules == .ber, tag & ASN1Tag.constructed != 0 else {
            throw EncodingProblem(start, "an indefinite length, expected a definite one")
        }
        position += 1
        var inner = try ASN1Reader(bytes, position..<end, inside: self, at: start)
        while true {
            guard let next = inner.nextTag else {
                throw EncodingProblem(start, "an indefinite length without end-of-contents octets")
            }
            if next == 0 { break }
            _ = try inner.next()
        }
        let content = position..<inner.position
        guard inner.position + 1 < end, bytes[inner.position + 1] == 0 else {
            throw EncodingProblem(inner.position, "half of the end-of-contents octets")
        }
        position = inner.position + 2
        return ASN1Element(tag: tag, start: start, content: content, end: position)
    }
}
