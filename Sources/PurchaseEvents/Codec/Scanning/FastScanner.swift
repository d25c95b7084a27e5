/// Scans the ordinary line: one flat object, known keys, plain ASCII strings, integers and flags.
///
/// It answers `nil` for anything else, malformed or not, and leaves that to ``CarefulScanner``;
/// where it answers both give the same tokens. What follows what, and how long it is, is guessed
/// from the lines before, so an ordinary value costs one look at its last byte: that no quote
/// hides in it is known from the number of quotes in the line. All offsets stay below the line's
/// length, which is at most 4,080, so their arithmetic can't overflow.
enum FastScanner {
    /// What an ordinary line holds, beside its tokens.
    struct Scanned {
        var present = KeySet()
        /// The type that the line names, where the format has it.
        var type: EventType?
        /// Whether the keys stand in the canonical order, and none that the type doesn't have.
        var isOrdered = true
    }

    /// What is scanned, and what helps to.
    private struct Given {
        let base: UnsafeRawPointer
        let count: Int
        let tokens: UnsafeMutablePointer<Token>
        let keys: KeyPredictor
        /// Whether a value is as long as the last one where a quote says so.
        let guesses: Bool

        @inline(__always)
        func byte(_ place: Int) -> UInt8 { FastScanner.byte(base, place) }

        /// Whether four letters stand at a place.
        @inline(__always)
        func has(_ letters: UInt32, at place: Int) -> Bool {
            place &+ 4 <= count
                && UInt32(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt32.self))
                    == letters
        }
    }

    /// What the line holds, its values put into `tokens`; `nil` where it is not ordinary.
    @inline(__always)
    static func scan(
        _ line: UnsafeRawBufferPointer, into tokens: UnsafeMutablePointer<Token>,
        _ keys: KeyPredictor
    ) -> Scanned? {
        guard let base = line.baseAddress, let quotes = PlainBytes.quotes(base, line.count) else {
            return nil
        }
        let given = Given(
            base: base, count: line.count, tokens: tokens, keys: keys, guesses: true)
        if let scanned = scanObject(given, quotes) { return scanned }
        // A guess may have gone wrong.
        let careful = Given(
            base: base, count: line.count, tokens: tokens, keys: keys, guesses: false)
        return scanObject(careful, quotes)
    }

    /// Scans the object, of so many quotes.
    ///
    /// Where the scanner is, and how many quotes belong to no key or value so far, are variables
    /// of this one function, so that they live in registers.
    @inline(never)
    private static func scanObject(_ given: Given, _ allQuotes: Int) -> Scanned? {
        guard given.byte(0) == UInt8(ascii: "{") else { return nil }
        let (count, keys) = (given.count, given.keys)
        var (position, quotes) = (1, allQuotes)
        var scanned = Scanned()
        var place = KeyPredictor.Place()
        var rank: UInt8 = 0
        while true {
            let guess = keys.steps + place.index
            if let length = keys.patterns.length(
                of: guess.pointee.key, at: position, in: given.base, count)
            {
                position &+= length
            } else {
                position = endOfOtherKey(given, position, place)
                guard position > 0 else { return nil }
            }
            let step = guess.pointee
            guard scanned.present.insert(step.key) else { return nil }
            scanned.isOrdered = scanned.isOrdered && step.rank > rank
            rank = step.rank
            let start = position
            let value = endOfValue(given, start, guess)
            guard value.end > 0, value.end < count else { return nil }
            position = value.end
            // The quotes of the key, and of a string.
            quotes &-= value.form == .string ? 4 : 2
            given.tokens[Int(step.key.rawValue)] = Token(
                start: start, count: position &- start, form: value.form)
            place.passed(step.key)
            if step.key == .type {
                scanned.type = type(given, start, position)
                place.saw(scanned.type)
            }
            let mark = given.byte(position)
            position &+= 1
            if mark == UInt8(ascii: ",") { continue }
            return mark == UInt8(ascii: "}") && position == count && quotes == 0 ? scanned : nil
        }
    }

    /// Where the value of whatever key stands here begins, 0 where none does; from now on that
    /// key is expected here.
    @inline(never)
    private static func endOfOtherKey(
        _ given: Given, _ start: Int, _ place: KeyPredictor.Place
    ) -> Int {
        guard start < given.count, given.byte(start) == UInt8(ascii: "\"") else { return 0 }
        let end = endOfString(given, start)
        guard end > 0, end &+ 1 < given.count, given.byte(end &+ 1) == UInt8(ascii: ":"),
            let key = Key.names.find(
                UnsafeRawBufferPointer(start: given.base + start + 1, count: end &- start &- 1))
        else { return 0 }
        given.keys.learn(key, at: place)
        return end &+ 2
    }

    /// The type of the event, where the string between two places names one.
    @inline(__always)
    private static func type(_ given: Given, _ start: Int, _ end: Int) -> EventType? {
        let (types, name, length) = (given.keys.types, given.base + start + 1, end &- start &- 2)
        // The name and what follows it, mostly more than the longest name has.
        return length > 0 && start &+ 25 <= given.count
            ? types.find(in: name, length)
            : types.find(UnsafeRawBufferPointer(start: name, count: max(0, length)))
    }

    /// The letters of `true`, and those of `false` but its first, the first letter lowest.
    private static var letters: (true: UInt32, alse: UInt32) {
        @inline(__always) get { (0x6575_7274, 0x6573_6C61) }
    }

    /// Where the value that begins at a place ends, 0 where none stands there; and its form.
    @inline(__always)
    private static func endOfValue(
        _ given: Given, _ start: Int, _ guess: UnsafeMutablePointer<KeyPredictor.Step>
    ) -> (end: Int, form: TokenForm) {
        guard start < given.count else { return (0, .null) }
        let first = given.byte(start)
        if first == UInt8(ascii: "\"") {
            let length = Int(guess.pointee.length)
            let end = start &+ length
            if given.guesses, length > 0, end < given.count, given.byte(end) == first {
                return (end &+ 1, .string)
            }
            let found = endOfString(given, start)
            guard found > 0 else { return (0, .string) }
            guess.pointee.length = UInt16(truncatingIfNeeded: found &- start)
            return (found &+ 1, .string)
        }
        if first == UInt8(ascii: "t") {
            return (given.has(FastScanner.letters.true, at: start) ? start &+ 4 : 0, .yes)
        }
        if first == UInt8(ascii: "f") {
            return (given.has(FastScanner.letters.alse, at: start &+ 1) ? start &+ 5 : 0, .no)
        }
        return (endOfInteger(given.base, given.count, start), .integer)
    }

    /// Where an integer without a leading zero ends, 0 where none stands; what follows it is for
    /// the caller to judge.
    @inline(__always)
    static func endOfInteger(
        _ base: UnsafeRawPointer, _ count: Int, _ start: Int
    ) -> Int {
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

    /// The place of the closing quote of the plain string that begins at a place; 0 where none is.
    @inline(never)
    private static func endOfString(_ given: Given, _ start: Int) -> Int {
        var place = start &+ 1
        while place &+ 8 <= given.count {
            let word = given.base.word(at: place)
            let found = EightBytes.equal(to: UInt8(ascii: "\""), in: word)
            if found != 0 { return place &+ found.trailingZeroBitCount >> 3 }
            place &+= 8
        }
        while place < given.count {
            if given.byte(place) == UInt8(ascii: "\"") { return place }
            place &+= 1
        }
        return 0
    }
}
