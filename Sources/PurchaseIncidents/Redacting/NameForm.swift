import PurchaseEvents
import PurchaseProjections

/// The form of a name, which its pseudonym keeps.
///
/// A name maps only to names of its own form, so names of different forms can't get the same
/// pseudonym. The exception is a name with characters outside ASCII, whose pseudonym may have
/// another form.
///
/// A form gives each character the alphabet of its replacement; an alphabet with a single character
/// keeps that character. Rules about form treat all names of one form alike.
struct NameForm: Hashable {
    enum Kind: Hashable {
        /// A UUID with letters of one case.
        case uuid
        /// Only decimal digits.
        case digits
        /// At least 16 hex digits; dashes may stand between them.
        case hex
        /// Anything else that looks like a hash: one alphabet for letters and digits.
        case token
        /// Any other name: digits stay digits, and letters stay letters of the same case.
        case pattern
    }

    let kind: Kind
    let alphabets: [Alphabet]
    /// Whether the name looks like a hash to the rule `account-opaque`.
    let isOpaque: Bool

    init(_ name: String) {
        let bytes = Array(name.utf8)
        isOpaque = bytes.withUnsafeBytes { NameShape.isOpaque($0) }
        if let alphabets = NameForm.uuid(bytes) {
            (kind, self.alphabets) = (.uuid, alphabets)
        } else if !bytes.isEmpty, bytes.allSatisfy(Alphabet.digits.holds) {
            kind = .digits
            // A number keeps its length, so a first digit other than 0 doesn't become 0.
            let first: Alphabet = bytes[0] == UInt8(ascii: "0") ? .fixed(bytes[0]) : .digitsFrom1
            alphabets = [first] + bytes.dropFirst().map { _ in .digits }
        } else if let hex = NameForm.longHex(bytes) {
            kind = .hex
            alphabets = bytes.map { $0 == UInt8(ascii: "-") ? .fixed($0) : hex }
        } else if isOpaque {
            kind = .token
            let alphabet = Alphabet.union(of: bytes)
            alphabets = bytes.map { Alphabet.alphanumeric.holds($0) ? alphabet : .fixed($0) }
        } else {
            kind = .pattern
            alphabets = name.unicodeScalars.flatMap { Alphabet.own(of: $0) }
        }
    }

    /// The alphabets of a UUID; the version and variant stay, so that the result is a UUID too.
    private static func uuid(_ bytes: [UInt8]) -> [Alphabet]? {
        guard bytes.count == 36 else { return nil }
        let dashes = [8, 13, 18, 23]
        guard dashes.allSatisfy({ bytes[$0] == UInt8(ascii: "-") }) else { return nil }
        let digits = bytes.indices.filter { !dashes.contains($0) }.map { bytes[$0] }
        guard let hex = hex(digits) else { return nil }
        return bytes.indices.map { index in
            dashes.contains(index) || index == 14 || index == 19 ? .fixed(bytes[index]) : hex
        }
    }

    /// The alphabet of a name with at least 16 hex digits, not counting dashes; `nil` for other
    /// names.
    ///
    /// The alphabet has the letter cases of the name, and no letters if the name has none.
    private static func longHex(_ bytes: [UInt8]) -> Alphabet? {
        let digits = bytes.filter { $0 != UInt8(ascii: "-") }
        guard digits.count >= 16, digits.allSatisfy(Alphabet.anyHex.holds) else { return nil }
        if digits.allSatisfy(Alphabet.digits.holds) { return .digits }
        return hex(digits) ?? .anyHex
    }

    /// The alphabet of hex digits, in lower case if there are no letters; `nil` for mixed case or
    /// other bytes.
    private static func hex(_ bytes: [UInt8]) -> Alphabet? {
        if bytes.allSatisfy(Alphabet.lowerHex.holds) { return .lowerHex }
        return bytes.allSatisfy(Alphabet.upperHex.holds) ? .upperHex : nil
    }
}

/// The characters that may replace one character of a name.
struct Alphabet: Hashable {
    private let scalars: [Unicode.Scalar]
    /// A bit for each ASCII character.
    private let ascii: UInt128

    var count: Int { scalars.count }

    subscript(index: Int) -> Unicode.Scalar { scalars[index] }

    func index(of scalar: Unicode.Scalar) -> Int? { scalars.firstIndex(of: scalar) }

    /// Whether an ASCII character is in the alphabet.
    func holds(_ byte: UInt8) -> Bool { byte < 0x80 && ascii >> UInt128(byte) & 1 != 0 }

    private init(_ scalars: some Sequence<Unicode.Scalar>) {
        self.scalars = Array(scalars)
        ascii = self.scalars.reduce(0) { $0 | ($1.isASCII ? 1 << UInt128($1.value) : 0) }
    }

    private static func range(_ range: ClosedRange<Unicode.Scalar>) -> [Unicode.Scalar] {
        (range.lowerBound.value...range.upperBound.value).compactMap { Unicode.Scalar($0) }
    }

    static let digits = Alphabet(range("0"..."9"))
    static let digitsFrom1 = Alphabet(range("1"..."9"))
    static let lowerHex = Alphabet(range("0"..."9") + range("a"..."f"))
    static let upperHex = Alphabet(range("0"..."9") + range("A"..."F"))
    static let anyHex = Alphabet(range("0"..."9") + range("a"..."f") + range("A"..."F"))
    static let lower = Alphabet(range("a"..."z"))
    static let upper = Alphabet(range("A"..."Z"))
    static let alphanumeric = Alphabet(range("0"..."9") + range("a"..."z") + range("A"..."Z"))
    /// 26 letters of two bytes each, to replace characters outside ASCII.
    static let foreign = Alphabet(range("\u{3B1}"..."\u{3C1}") + range("\u{430}"..."\u{438}"))

    static func fixed(_ byte: UInt8) -> Alphabet { Alphabet([Unicode.Scalar(byte)]) }

    /// Compares ASCII and the count, since only ``foreign`` has characters outside ASCII.
    static func == (left: Alphabet, right: Alphabet) -> Bool {
        left.ascii == right.ascii && left.count == right.count
    }

    func hash(into hasher: inout Hasher) { hasher.combine(ascii) }

    /// One alphabet with all the kinds of letters and digits in a name.
    static func union(of bytes: [UInt8]) -> Alphabet {
        Alphabet(
            [digits, lower, upper].filter { bytes.contains(where: $0.holds) }.flatMap(\.scalars))
    }

    /// The number of characters that replace one character outside ASCII.
    static let foreignCount = 5

    /// The alphabets for a single character; a character outside ASCII has five.
    static func own(of scalar: Unicode.Scalar) -> [Alphabet] {
        guard scalar.isASCII else { return [Alphabet](repeating: foreign, count: foreignCount) }
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        return [[digits, lower, upper].first { $0.holds(byte) } ?? fixed(byte)]
    }
}
