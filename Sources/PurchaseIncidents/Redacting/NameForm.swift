import PurchaseEvents
import PurchaseProjections

/// What kind of name a name is, as far as a pseudonym keeps it: names of one form become names of
/// the same form, so no name of another form can become the same.
///
/// A form says for each character the alphabet that it is drawn from; one of a single character
/// stays. Rules about form answer alike for all names of a form.
struct NameForm: Hashable {
    /// The kinds of names.
    enum Kind: Hashable {
        /// A UUID, all its letters of one case.
        case uuid
        /// Decimal digits alone.
        case digits
        /// At least 16 hex digits, letters of one case among them.
        case hex
        /// What else looks like a hash: letters and digits are drawn from one alphabet.
        case token
        /// Any other name: a digit stays a digit, a letter a letter of its case.
        case pattern
    }

    let kind: Kind
    /// For each character the alphabet.
    let alphabets: [Alphabet]
    /// Whether the name looks like a hash to the rule `account-opaque`.
    let isOpaque: Bool

    /// The form of a name.
    init(_ name: String) {
        let bytes = Array(name.utf8)
        isOpaque = bytes.withUnsafeBytes { NameShape.isOpaque($0) }
        if let alphabets = NameForm.uuid(bytes) {
            (kind, self.alphabets) = (.uuid, alphabets)
        } else if !bytes.isEmpty, bytes.allSatisfy(Alphabet.digits.holds) {
            kind = .digits
            // A number keeps its length: its first digit stays other than 0.
            let first: Alphabet = bytes[0] == UInt8(ascii: "0") ? .fixed(bytes[0]) : .digitsFrom1
            alphabets = [first] + bytes.dropFirst().map { _ in .digits }
        } else if let hex = NameForm.hex(bytes), bytes.count >= 16 {
            (kind, alphabets) = (.hex, bytes.map { _ in hex })
        } else if isOpaque {
            kind = .token
            let alphabet = Alphabet.union(of: bytes)
            alphabets = bytes.map { Alphabet.alphanumeric.holds($0) ? alphabet : .fixed($0) }
        } else {
            kind = .pattern
            alphabets = name.unicodeScalars.flatMap { Alphabet.own(of: $0) }
        }
    }

    /// The alphabets of a UUID; its version and its variant stay, so that it remains one.
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

    /// The hex alphabet of digits, lower case where they have no letters; `nil` for others.
    private static func hex(_ bytes: [UInt8]) -> Alphabet? {
        if bytes.allSatisfy(Alphabet.lowerHex.holds) { return .lowerHex }
        return bytes.allSatisfy(Alphabet.upperHex.holds) ? .upperHex : nil
    }
}

/// The characters that may stand in one place of a name.
struct Alphabet: Hashable {
    private let scalars: [Unicode.Scalar]
    /// A bit for each ASCII character.
    private let ascii: UInt128

    /// The number of characters.
    var count: Int { scalars.count }

    subscript(index: Int) -> Unicode.Scalar { scalars[index] }

    /// The index of a character; `nil` for one that isn't in the alphabet.
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
    static let lower = Alphabet(range("a"..."z"))
    static let upper = Alphabet(range("A"..."Z"))
    static let alphanumeric = Alphabet(range("0"..."9") + range("a"..."z") + range("A"..."Z"))
    /// 26 letters of two bytes each, for what isn't ASCII.
    static let foreign = Alphabet(range("\u{3B1}"..."\u{3C1}") + range("\u{430}"..."\u{438}"))

    static func fixed(_ byte: UInt8) -> Alphabet { Alphabet([Unicode.Scalar(byte)]) }

    /// Whether two alphabets have the same characters: those of names differ in ASCII, or are one.
    static func == (left: Alphabet, right: Alphabet) -> Bool {
        left.ascii == right.ascii && left.count == right.count
    }

    func hash(into hasher: inout Hasher) { hasher.combine(ascii) }

    /// The alphabets of the kinds of letters and digits in a name, as one.
    static func union(of bytes: [UInt8]) -> Alphabet {
        Alphabet(
            [digits, lower, upper].filter { bytes.contains(where: $0.holds) }.flatMap(\.scalars))
    }

    /// How many characters stand for one that isn't ASCII.
    static let foreignCount = 5

    /// The alphabet of a character by itself; of one that isn't ASCII, the alphabets of the five
    /// that stand for it.
    static func own(of scalar: Unicode.Scalar) -> [Alphabet] {
        guard scalar.isASCII else {
            return [Alphabet](repeating: foreign, count: foreignCount)
        }
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        return [[digits, lower, upper].first { $0.holds(byte) } ?? fixed(byte)]
    }
}
