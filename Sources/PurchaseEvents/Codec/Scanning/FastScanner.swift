/// Scans an ordinary line: one flat object of known keys, plain ASCII strings, integers and flags.
///
/// For any other line, valid or not, the scanner returns `nil` and leaves the line to
/// ``CarefulScanner``; where it succeeds, both give the same tokens. The scanner guesses each key
/// and the length of its value from earlier lines, so an ordinary value costs one look at its last
/// byte. The number of quotes in the line proves that no value contains one. A line has at most
/// 4,080 bytes, so offsets can't overflow.
enum FastScanner {
    struct Scanned {
        var present = KeySet()
        var type: EventType?
        /// Whether the keys are in canonical order and all belong to the type.
        var isOrdered = true
    }

    private struct Input {
        let base: UnsafeRawPointer
        let count: Int
        let tokens: UnsafeMutablePointer<Token>
        let keys: KeyPredictor
        /// Whether the scanner trusts the guessed length of a value that ends in a quote.
        let trustsGuesses: Bool

        @inline(__always)
        func byte(_ place: Int) -> UInt8 { FastScanner.byte(base, place) }

        @inline(__always)
        func has(_ letters: UInt32, at place: Int) -> Bool {
            place &+ 4 <= count
                && UInt32(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt32.self))
                    == letters
        }
    }

    @inline(__always)
    static func scan(
        _ line: UnsafeRawBufferPointer, into tokens: UnsafeMutablePointer<Token>,
        _ keys: KeyPredictor
    ) -> Scanned? {
        guard let base = line.baseAddress, let quotes = PlainBytes.quotes(base, line.count) else {
            return nil
        }
        let input = Input(
            base: base, count: line.count, tokens: tokens, keys: keys, trustsGuesses: true)
        if let scanned = scanObject(input, quotes) { return scanned }
        // A guess may have been wrong.
        let careful = Input(
            base: base, count: line.count, tokens: tokens, keys: keys, trustsGuesses: false)
        return scanObject(careful, quotes)
    }

    /// Scans the object; its position and number of quotes are local, so they stay in registers.
    @inline(never)
    private static func scanObject(_ input: Input, _ allQuotes: Int) -> Scanned? {
        guard input.byte(0) == UInt8(ascii: "{") else { return nil }
        let (count, keys) = (input.count, input.keys)
        var (position, quotes) = (1, allQuotes)
        var scanned = Scanned()
        var place = KeyPredictor.Place()
        var rank: UInt8 = 0
        while true {
            let guess = keys.steps + place.index
            if let length = keys.patterns.length(
                of: guess.pointee.key, at: position, in: input.base, count)
            {
                position &+= length
            } else {
                position = endOfOtherKey(input, position, place)
                guard position > 0 else { return nil }
            }
            let step = guess.pointee
            guard scanned.present.insert(step.key) else { return nil }
            scanned.isOrdered = scanned.isOrdered && step.rank > rank
            rank = step.rank
            let start = position
            let value = endOfValue(input, start, guess)
            guard value.end > 0, value.end < count else { return nil }
            position = value.end
            // The two quotes of the key, and the two of a string.
            quotes &-= value.form == .string ? 4 : 2
            input.tokens[Int(step.key.rawValue)] = Token(
                start: start, count: position &- start, form: value.form)
            place.passed(step.key)
            if step.key == .type {
                scanned.type = type(input, start, position)
                place.saw(scanned.type)
            }
            let mark = input.byte(position)
            position &+= 1
            if mark == UInt8(ascii: ",") { continue }
            return mark == UInt8(ascii: "}") && position == count && quotes == 0 ? scanned : nil
        }
    }

    /// The end of a key that wasn't predicted, with its colon, or 0 if no known key is here; the
    /// predictor learns the key.
    @inline(never)
    private static func endOfOtherKey(
        _ input: Input, _ start: Int, _ place: KeyPredictor.Place
    ) -> Int {
        guard start < input.count, input.byte(start) == UInt8(ascii: "\"") else { return 0 }
        let end = endOfString(input, start)
        guard end > 0, end &+ 1 < input.count, input.byte(end &+ 1) == UInt8(ascii: ":"),
            let key = Key.names.find(
                UnsafeRawBufferPointer(start: input.base + start + 1, count: end &- start &- 1))
        else { return 0 }
        input.keys.learn(key, at: place)
        return end &+ 2
    }

    @inline(__always)
    private static func type(_ input: Input, _ start: Int, _ end: Int) -> EventType? {
        input.keys.types.find(
            UnsafeRawBufferPointer(start: input.base + start + 1, count: max(0, end &- start &- 2)))
    }

    /// The letters of `true` and of `alse`, with the first letter in the lowest byte.
    private static var letters: (true: UInt32, falseTail: UInt32) {
        @inline(__always) get { (0x6575_7274, 0x6573_6C61) }
    }

    @inline(__always)
    private static func endOfValue(
        _ input: Input, _ start: Int, _ guess: UnsafeMutablePointer<KeyPredictor.Step>
    ) -> (end: Int, form: TokenForm) {
        guard start < input.count else { return (0, .null) }
        let first = input.byte(start)
        if first == UInt8(ascii: "\"") {
            let length = Int(guess.pointee.length)
            let end = start &+ length
            if input.trustsGuesses, length > 0, end < input.count, input.byte(end) == first {
                return (end &+ 1, .string)
            }
            let found = endOfString(input, start)
            guard found > 0 else { return (0, .string) }
            guess.pointee.length = UInt16(truncatingIfNeeded: found &- start)
            return (found &+ 1, .string)
        }
        if first == UInt8(ascii: "t") {
            return (input.has(FastScanner.letters.true, at: start) ? start &+ 4 : 0, .yes)
        }
        if first == UInt8(ascii: "f") {
            return (input.has(FastScanner.letters.falseTail, at: start &+ 1) ? start &+ 5 : 0, .no)
        }
        return (endOfInteger(input.base, input.count, start), .integer)
    }

    /// The end of an integer without a leading zero, or 0 if there is none; the caller checks the
    /// next byte.
    @inline(__always)
    static func endOfInteger(_ base: UnsafeRawPointer, _ count: Int, _ start: Int) -> Int {
        let first = byte(base, start) == UInt8(ascii: "-") ? start &+ 1 : start
        var place = first
        while place &+ 8 <= count {
            let others = Digits.others(in: base.word(at: place) ^ Digits.zeros)
            place &+= others.trailingZeroBitCount >> 3
            if others != 0 { break }
        }
        while place < count, byte(base, place) &- UInt8(ascii: "0") <= 9 { place &+= 1 }
        let length = place &- first
        let isOne = length == 1 || (length > 1 && byte(base, first) != UInt8(ascii: "0"))
        return isOne ? place : 0
    }

    @inline(__always)
    private static func byte(_ base: UnsafeRawPointer, _ place: Int) -> UInt8 {
        base.load(fromByteOffset: place, as: UInt8.self)
    }

    /// The place of the closing quote of a plain string, or 0 if there is no plain string.
    @inline(never)
    private static func endOfString(_ input: Input, _ start: Int) -> Int {
        var place = start &+ 1
        while place &+ 8 <= input.count {
            let word = input.base.word(at: place)
            let found = EightBytes.equal(to: UInt8(ascii: "\""), in: word)
            if found != 0 { return place &+ found.trailingZeroBitCount >> 3 }
            place &+= 8
        }
        while place < input.count {
            if input.byte(place) == UInt8(ascii: "\"") { return place }
            place &+= 1
        }
        return 0
    }
}
