import PurchaseEvents

/// Gives each name its pseudonym: the same in every log under the same key, of the same form, and
/// another one for each other name.
///
/// A short name, of which an attacker could try all, is permuted among the names of its form by a
/// Feistel network of ten rounds of HMAC-SHA256, walking on until the result has the form again: so
/// two names never meet. A long one is drawn from its HMAC, which can't be undone even with the
/// key; two of them meet with a chance of less than 1 in 2^100. Of a UUID the case counts not: the
/// same UUID in capitals becomes the same in capitals.
///
/// Cost: 10 µs for a new name, a look-up for one that came before; memory for each name. A value
/// belongs to one thread at a time.
struct Pseudonyms {
    private let key: RedactionKey
    private var known: [String: String] = [:]

    /// From how many bits on a name is long.
    private static let longBits = 110
    /// How often a result may be drawn before the last one is taken as it is.
    private static let attempts = 10_000

    init(_ key: RedactionKey) { self.key = key }

    /// The pseudonym of a name.
    mutating func pseudonym(of name: String) -> String {
        if let pseudonym = known[name] { return pseudonym }
        let pseudonym = made(of: name)
        known[name] = pseudonym
        return pseudonym
    }

    private func made(of name: String) -> String {
        let form = NameForm(name)
        if form.kind == .uuid {
            let lower = name.lowercased()
            guard lower != name else { return drawn(name, form) }
            return drawn(lower, NameForm(lower)).uppercased()
        }
        let isTooLong = form.alphabets.count + form.foreignCount > NameCheck.maximumLength
        let bits = form.alphabets.reduce(0) { $0 + Pseudonyms.bits($1.count) }
        if bits >= Pseudonyms.longBits || isTooLong { return drawn(name, form) }
        return permuted(name, form)
    }

    /// At most how many bits a place of so many characters has.
    private static func bits(_ count: Int) -> Int { Int.bitWidth - 1 - count.leadingZeroBitCount }

    // MARK: Long names

    /// Draws a name of a form from the HMAC of a name.
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

    /// The alphabets of a name; where those of what isn't ASCII make it too long, one for each of
    /// its characters.
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

    /// Permutes a name among those of its form.
    private func permuted(_ name: String, _ form: NameForm) -> String {
        let free = form.alphabets.indices.filter { form.alphabets[$0].count > 1 }
        let radices = free.map { form.alphabets[$0].count }
        let all = Pseudonyms.digits(of: name)
        var digits = free.map { place in
            all[place].value(in: form.alphabets[place])
        }
        // What a round depends on beside the digits: the form, by its characters' alphabets.
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

    /// One permutation of all digits of these radices.
    private func permuted(_ digits: [Int], _ radices: [Int], _ context: [UInt8]) -> [Int] {
        guard digits.count > 1 else {
            return digits.map { shuffled($0, radices[0], context) }
        }
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

    /// Adds to digits what the other half gives.
    private func mixed(
        _ half: [Int], by other: [Int], _ radices: [Int], _ purpose: [UInt8]
    ) -> [Int] {
        let message = other.map { UInt8(truncatingIfNeeded: $0) }
        let added = key.digits(purpose, message, below: radices)
        return half.indices.map { (half[$0] + added[$0]) % radices[$0] }
    }

    /// A single digit, by a list of all digits in an order of the key's.
    private func shuffled(_ digit: Int, _ radix: Int, _ context: [UInt8]) -> Int {
        let order = (0..<radix).map { value in
            (
                key.authenticate([2] + context + [UInt8(truncatingIfNeeded: value)]),
                value
            )
        }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
        return order[digit].1
    }

    // MARK: Digits and text

    /// A place of a name: a character, or a part of one that isn't ASCII.
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

    /// The places of a name, five for each character that isn't ASCII.
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
    /// The number of characters that stand for those that aren't ASCII; a name with any may become
    /// one of another form, since five stand for one.
    fileprivate var foreignCount: Int { alphabets.count { $0 == .foreign } }
}
