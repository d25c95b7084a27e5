import PurchaseEvents

/// Gives each name a pseudonym of the same form: the same one in every log under the same key, and
/// different ones for different names.
///
/// A short name, which an attacker could guess by trying all, is permuted among the names of its
/// form: a Feistel network of ten rounds of HMAC-SHA256 is repeated until the result has the form.
/// So two short names never get the same pseudonym. A long name's pseudonym is drawn from its HMAC,
/// which can't be inverted even with the key; two long names get the same pseudonym with a
/// probability below 1 in 2^100.
///
/// Names that differ only in the case of their letters get pseudonyms that differ only in it: a
/// name with capitals gets the pseudonym of the name in lower case, with capitals. The letters of a
/// long pseudonym stand elsewhere than those of its name, so the key draws which are capitals if
/// the name has both cases. Two such spellings of one name get the same capitals with a probability
/// of 1 in 2^n for n letters.
///
/// Cost: 10 µs for a new name and a look-up for a known one; memory for each name. Only one thread
/// may use a value at a time.
struct Pseudonyms {
    private let key: RedactionKey
    /// The pseudonyms by the bytes of their names: equal strings may be names of different bytes.
    private var known: [[UInt8]: String] = [:]

    /// The minimum number of bits of a long name.
    private static let longBits = 110
    /// The maximum number of attempts to draw a result of the form; then the last result counts.
    private static let attempts = 10_000

    init(_ key: RedactionKey) { self.key = key }

    mutating func pseudonym(of name: String) -> String {
        let bytes = Array(name.utf8)
        if let pseudonym = known[bytes] { return pseudonym }
        let pseudonym = made(of: name)
        known[bytes] = pseudonym
        return pseudonym
    }

    private mutating func made(of name: String) -> String {
        let form = NameForm(name)
        let lower = Pseudonyms.lowercased(name)
        guard lower == name else {
            // As an argument below, it would be made on a copy of all known pseudonyms.
            let small = pseudonym(of: lower)
            return capitalized(small, name, form)
        }
        let isTooLong = form.alphabets.count + form.foreignCount > NameCheck.maximumLength
        let bits = form.alphabets.reduce(0) { $0 + Pseudonyms.bits($1.count) }
        if form.kind == .uuid || bits >= Pseudonyms.longBits || isTooLong {
            return drawn(name, form)
        }
        return permuted(name, form)
    }

    /// The number of bits, rounded down, in a place with `count` possible characters.
    private static func bits(_ count: Int) -> Int { Int.bitWidth - 1 - count.leadingZeroBitCount }

    // MARK: Capitals

    /// The pseudonym of a name with capitals, made from the pseudonym of the name in lower case.
    private func capitalized(_ lower: String, _ name: String, _ form: NameForm) -> String {
        let letters = Array(lower.unicodeScalars)
        if form.kind == .pattern {
            let alphabets = shortened(form)
            return Pseudonyms.text(letters) { alphabets[$0] == .upper }
        }
        guard name.utf8.contains(where: Alphabet.lower.holds) else {
            return Pseudonyms.text(letters) { _ in true }
        }
        // With a single letter, no spelling has both cases.
        if lower.utf8.count(where: Alphabet.lower.holds) > 1 {
            let radices = letters.map { _ in 2 }
            for attempt in 0..<Pseudonyms.attempts {
                let purpose = [3, UInt8(truncatingIfNeeded: attempt), UInt8(attempt >> 8)]
                let drawn = key.digits(purpose, Array(name.utf8), below: radices)
                let result = Pseudonyms.text(letters) { drawn[$0] == 1 }
                if NameForm(result) == form { return result }
            }
        }
        return drawn(name, form)
    }

    /// A text with small letters in place of the capitals of ASCII.
    private static func lowercased(_ text: String) -> String {
        String(decoding: text.utf8.map { Alphabet.upper.holds($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// A text with capitals in place of the small letters of ASCII at some places.
    private static func text(_ letters: [Unicode.Scalar], _ isCapital: (Int) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        for (place, letter) in letters.enumerated() {
            let byte = UInt8(truncatingIfNeeded: letter.value)
            let isSmall = letter.isASCII && Alphabet.lower.holds(byte)
            text.append(isSmall && isCapital(place) ? Unicode.Scalar(byte & ~0x20) : letter)
        }
        return String(text)
    }

    // MARK: Long names

    /// Draws a name of the form from the HMAC of a name.
    private func drawn(_ name: String, _ form: NameForm) -> String {
        let alphabets = shortened(form)
        let radices = alphabets.map(\.count)
        let message = Array(name.utf8)
        var result = ""
        for attempt in 0..<Pseudonyms.attempts {
            let purpose = [0, UInt8(truncatingIfNeeded: attempt), UInt8(attempt >> 8)]
            let digits = key.digits(purpose, message, below: radices)
            result = Pseudonyms.text(digits, alphabets)
            if form.foreignCount > 0 || NameForm(result) == form { break }
        }
        return result
    }

    /// The alphabets of a name; if the pseudonym would be too long, each character outside ASCII
    /// gets one replacement instead of five.
    private func shortened(_ form: NameForm) -> [Alphabet] {
        guard form.alphabets.count + form.foreignCount > NameCheck.maximumLength else {
            return form.alphabets
        }
        var passed = 0
        return form.alphabets.filter { alphabet in
            guard alphabet == .foreign else { return true }
            passed += 1
            return passed % Alphabet.foreignCount == 1
        }
    }

    // MARK: Short names

    private func permuted(_ name: String, _ form: NameForm) -> String {
        let free = form.alphabets.indices.filter { form.alphabets[$0].count > 1 }
        let radices = free.map { form.alphabets[$0].count }
        let all = Pseudonyms.digits(of: name)
        var digits = free.map { place in all[place].value(in: form.alphabets[place]) }
        // A round depends on the digits and on the form, given by the sizes of its alphabets.
        let context = form.alphabets.map { UInt8(truncatingIfNeeded: $0.count) }
        var result = name
        for _ in 0..<Pseudonyms.attempts {
            digits = permuted(digits, radices, context)
            var places = form.alphabets.map { _ in 0 }
            for (place, digit) in zip(free, digits) { places[place] = digit }
            result = Pseudonyms.text(places, form.alphabets)
            if form.foreignCount > 0 || NameForm(result) == form { break }
        }
        return result
    }

    /// Permutes all digits once, within their radices.
    private func permuted(_ digits: [Int], _ radices: [Int], _ context: [UInt8]) -> [Int] {
        guard digits.count > 1 else { return digits.map { shuffled($0, radices[0], context) } }
        let middle = digits.count / 2
        var (left, right) = (Array(digits[..<middle]), Array(digits[middle...]))
        let (leftRadices, rightRadices) = (Array(radices[..<middle]), Array(radices[middle...]))
        for round in 0..<UInt8(10) {
            if round % 2 == 0 {
                left = mixed(left, by: right, leftRadices, [1, round] + context)
            } else {
                right = mixed(right, by: left, rightRadices, [1, round] + context)
            }
        }
        return left + right
    }

    /// Adds a value computed from the other half to the digits, within their radices.
    private func mixed(
        _ half: [Int], by other: [Int], _ radices: [Int], _ purpose: [UInt8]
    ) -> [Int] {
        let message = other.map { UInt8(truncatingIfNeeded: $0) }
        let added = key.digits(purpose, message, below: radices)
        return half.indices.map { (half[$0] + added[$0]) % radices[$0] }
    }

    /// Replaces a single digit by its entry in a list of all digits, shuffled by the key.
    private func shuffled(_ digit: Int, _ radix: Int, _ context: [UInt8]) -> Int {
        let order = (0..<radix).map { value in
            (key.authenticate([2] + context + [UInt8(truncatingIfNeeded: value)]), value)
        }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
        return order[digit].1
    }

    // MARK: Digits and text

    /// A position in a name: a character, or part of one outside ASCII.
    private enum Place {
        case scalar(Unicode.Scalar)
        case part(Int)

        func value(in alphabet: Alphabet) -> Int {
            switch self {
            case .scalar(let scalar): alphabet.index(of: scalar) ?? 0
            case .part(let value): value
            }
        }
    }

    /// The positions of a name, five for each character outside ASCII.
    private static func digits(of name: String) -> [Place] {
        name.unicodeScalars.flatMap { scalar -> [Place] in
            guard !scalar.isASCII else { return [.scalar(scalar)] }
            var rest = Int(scalar.value)
            return (0..<Alphabet.foreignCount).map { _ in
                defer { rest /= Alphabet.foreign.count }
                return .part(rest % Alphabet.foreign.count)
            }
        }
    }

    private static func text(_ digits: [Int], _ alphabets: [Alphabet]) -> String {
        var text = String.UnicodeScalarView()
        for (digit, alphabet) in zip(digits, alphabets) { text.append(alphabet[digit]) }
        return String(text)
    }
}

extension NameForm {
    /// The number of characters in the pseudonym that replace characters outside ASCII.
    ///
    /// If there are any, the pseudonym may have another form, because five characters replace one.
    fileprivate var foreignCount: Int { alphabets.count { $0 == .foreign } }
}
