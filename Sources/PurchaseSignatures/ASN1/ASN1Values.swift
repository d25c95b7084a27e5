import PurchaseEvents

// The values of elements.
extension ASN1Reader {
    /// The bytes of a string; joins the pieces of a string in pieces.
    package func octets(
        _ element: ASN1Element, of tag: UInt8 = ASN1Tag.octetString
    ) throws(EncodingProblem) -> [UInt8] {
        guard element.isConstructed else { return Array(bytes[element.content]) }
        guard rules == .ber else {
            throw EncodingProblem(element.start, "a string in pieces, expected a whole one")
        }
        var pieces = try inside(element)
        var octets: [UInt8] = []
        while let next = pieces.nextTag {
            guard next & ~ASN1Tag.constructed == tag else {
                throw EncodingProblem(
                    pieces.position,
                    "a string with \(ASN1Tag.words(next)) in it, expected " + ASN1Tag.words(tag))
            }
            octets.append(contentsOf: try pieces.octets(try pieces.next(), of: tag))
        }
        return octets
    }

    /// Reads an OCTET STRING, whole or in pieces.
    package mutating func nextOctets() throws(EncodingProblem) -> [UInt8] {
        if let whole = try next(ifTag: ASN1Tag.octetString) { return try octets(whole) }
        if let pieces = try next(ifTag: ASN1Tag.octetString | ASN1Tag.constructed) {
            return try octets(pieces)
        }
        return try octets(try next(ASN1Tag.octetString))
    }

    /// Reads an INTEGER: its bytes, big-endian in two's complement, in the shortest form.
    package mutating func nextIntegerBytes() throws(EncodingProblem) -> ArraySlice<UInt8> {
        let element = try next(ASN1Tag.integer)
        let content = bytes[element.content]
        guard let first = content.first else {
            throw EncodingProblem(element.start, "an INTEGER without bytes")
        }
        if content.count > 1 {
            let isNegative = bytes[content.startIndex + 1] & 0x80 != 0
            guard !(first == 0 && !isNegative), !(first == 0xFF && isNegative) else {
                throw EncodingProblem(element.start, "an INTEGER in more bytes than it needs")
            }
        }
        return content
    }

    package mutating func nextInteger() throws(EncodingProblem) -> Int64 {
        let start = position
        let content = try nextIntegerBytes()
        guard content.count <= 8, let first = content.first else {
            throw EncodingProblem(start, "an INTEGER of \(content.count) bytes, expected at most 8")
        }
        return content.reduce(first & 0x80 != 0 ? -1 : 0) { $0 << 8 | Int64($1) }
    }

    /// Reads a non-negative INTEGER of any size: big-endian, without leading zeros.
    package mutating func nextNatural() throws(EncodingProblem) -> [UInt8] {
        let start = position
        let content = try nextIntegerBytes()
        guard let first = content.first, first & 0x80 == 0 else {
            throw EncodingProblem(start, "a negative INTEGER, expected one from 0 up")
        }
        return Array(first == 0 ? content.dropFirst() : content)
    }

    /// Reads a BIT STRING of whole bytes.
    package mutating func nextBitString() throws(EncodingProblem) -> ArraySlice<UInt8> {
        let element = try next(ASN1Tag.bitString)
        guard bytes[element.content].first == 0 else {
            throw EncodingProblem(element.start, "a BIT STRING with unused bits, expected none")
        }
        return bytes[element.content].dropFirst()
    }

    package mutating func nextNull() throws(EncodingProblem) {
        let element = try next(ASN1Tag.null)
        guard element.content.isEmpty else {
            throw EncodingProblem(element.start, "a NULL with content")
        }
    }

    /// Reads a BOOLEAN; in DER, only the byte 0xFF is true.
    package mutating func nextBoolean() throws(EncodingProblem) -> Bool {
        let element = try next(ASN1Tag.boolean)
        guard element.content.count == 1, let value = bytes[element.content].first,
            rules == .ber || value == 0 || value == 0xFF
        else { throw EncodingProblem(element.start, "an invalid DER BOOLEAN") }
        return value != 0
    }

    package mutating func nextIdentifier() throws(EncodingProblem) -> ObjectIdentifier {
        let element = try next(ASN1Tag.objectIdentifier)
        let content = bytes[element.content]
        guard let last = content.last, last & 0x80 == 0 else {
            throw EncodingProblem(element.start, "an OBJECT IDENTIFIER that ends within a number")
        }
        return ObjectIdentifier(encoded: Array(content))
    }

    /// Reads a time as in certificates (RFC 5280, 4.1.2.5): in UTC, to the second. A two-digit year
    /// below 50 is in this century, any other in the last one.
    package mutating func nextTime() throws(EncodingProblem) -> Timestamp {
        let start = position
        let element = try next()
        let digits = bytes[element.content].dropLast()
        let yearDigits = element.tag == ASN1Tag.utcTime ? 2 : 4
        guard element.tag == ASN1Tag.utcTime || element.tag == ASN1Tag.generalizedTime,
            bytes[element.content].last == UInt8(ascii: "Z"), digits.count == yearDigits + 10,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let time = ASN1Reader.time(digits.map { Int64($0 &- 0x30) }, yearDigits: yearDigits)
        else {
            throw EncodingProblem(
                start, "seen \(ASN1Tag.words(element.tag)), expected a time in UTC to the second")
        }
        return time
    }

    private static func time(_ digits: [Int64], yearDigits: Int) -> Timestamp? {
        let pairs: [Int64] = stride(from: 0, to: digits.count, by: 2).map { index -> Int64 in
            digits[index] * 10 + digits[index + 1]
        }
        let short: Int64 = pairs[0] + (pairs[0] < 50 ? 2_000 : 1_900)
        let year: Int64 = yearDigits == 2 ? short : pairs[0] * 100 + pairs[1]
        let rest = Array(pairs.suffix(5))
        guard let day = CalendarDay(year: year, month: rest[0], day: rest[1]), rest[2] < 24,
            rest[3] < 60, rest[4] < 60
        else { return nil }
        let seconds = ((day.daysSince1970 * 24 + rest[2]) * 60 + rest[3]) * 60 + rest[4]
        return Timestamp(milliseconds: seconds * 1_000)
    }
}
