/// Scans the ordinary line: one flat object, known keys, plain ASCII strings, integers and flags.
///
/// It answers `nil` for anything else, malformed or not, and leaves that to ``CarefulScanner``;
/// where it answers both give the same tokens. What follows what, and how long it is, is guessed
/// from the lines before, so an ordinary value costs one look at its last byte: that no quote
/// hides in it is known from the number of quotes in the line. All offsets stay below the line's
/// length, which is at most 4,080, so their arithmetic can't overflow.
struct FastScanner {
    /// What an ordinary line holds, beside its tokens.
    struct Scanned {
        var present = KeySet()
        /// The type that the line names, where the format has it.
        var type: EventType?
        /// Whether the keys stand in the canonical order, and none that the type doesn't have.
        var isOrdered = true
    }

    private let base: UnsafeRawPointer
    private let count: Int
    private let tokens: UnsafeMutablePointer<Token>
    private let keys: KeyPredictor
    /// Whether a value is as long as the last one where a quote says so.
    private let guesses: Bool
    private var position = 1
    /// How many quotes of the line belong to no key or value so far.
    private var quotes: Int
    private var scanned = Scanned()

    /// What the line holds, its values put into `tokens`; `nil` where it is not ordinary.
    @inline(__always)
    static func scan(
        _ line: UnsafeRawBufferPointer, into tokens: UnsafeMutablePointer<Token>,
        _ keys: KeyPredictor
    ) -> Scanned? {
        guard let base = line.baseAddress, let quotes = PlainBytes.quotes(base, line.count) else {
            return nil
        }
        var scanner = FastScanner(base, line.count, tokens, keys, quotes, guesses: true)
        if scanner.scanObject() { return scanner.scanned }
        // Not inlined, so that the scanner above lives in registers.
        return scanWithoutGuesses(base, line.count, tokens, keys, quotes)
    }

    /// Scans a line in which a guess went wrong, or one that is not ordinary.
    @inline(never)
    private static func scanWithoutGuesses(
        _ base: UnsafeRawPointer, _ count: Int, _ tokens: UnsafeMutablePointer<Token>,
        _ keys: KeyPredictor, _ quotes: Int
    ) -> Scanned? {
        var scanner = FastScanner(base, count, tokens, keys, quotes, guesses: false)
        return scanner.scanObject() ? scanner.scanned : nil
    }

    @inline(__always)
    private init(
        _ base: UnsafeRawPointer, _ count: Int, _ tokens: UnsafeMutablePointer<Token>,
        _ keys: KeyPredictor, _ quotes: Int, guesses: Bool
    ) {
        self.base = base
        self.count = count
        self.tokens = tokens
        self.keys = keys
        self.quotes = quotes
        self.guesses = guesses
    }

    // What changes the scanner is inlined, so that it lives in registers; what isn't inlined gets
    // what it needs and answers with what it found.

    @inline(__always)
    private mutating func scanObject() -> Bool {
        guard byte(0) == UInt8(ascii: "{") else { return false }
        var place = KeyPredictor.Place()
        var rank: UInt8 = 0
        while true {
            let guess = keys.steps + place.index
            if let length = keys.length(of: guess.pointee.key, at: position, in: base, count) {
                position &+= length
            } else {
                let end = FastScanner.endOfOtherKey(base, count, position, keys, place)
                guard end > 0 else { return false }
                position = end
            }
            quotes &-= 2
            let step = guess.pointee
            guard scanned.present.insert(step.key) else { return false }
            scanned.isOrdered = scanned.isOrdered && step.rank > rank
            rank = step.rank
            let start = position
            guard scanValue(step, guess) else { return false }
            place.passed(step.key)
            if step.key == .type {
                scanned.type = FastScanner.type(base, count, start, position, keys.types)
                place.saw(scanned.type)
            }
            guard position < count else { return false }
            let mark = byte(position)
            position &+= 1
            if mark == UInt8(ascii: ",") { continue }
            return mark == UInt8(ascii: "}") && position == count && quotes == 0
        }
    }

    /// Where the value of whatever key stands here begins, 0 where none does; from now on that
    /// key is expected here.
    @inline(never)
    private static func endOfOtherKey(
        _ base: UnsafeRawPointer, _ count: Int, _ start: Int, _ keys: KeyPredictor,
        _ place: KeyPredictor.Place
    ) -> Int {
        guard start < count, base.load(fromByteOffset: start, as: UInt8.self) == UInt8(ascii: "\"")
        else { return 0 }
        let end = endOfString(base, count, start)
        guard end > 0, end &+ 1 < count,
            base.load(fromByteOffset: end &+ 1, as: UInt8.self) == UInt8(ascii: ":"),
            let key = Key.names.find(
                UnsafeRawBufferPointer(start: base + start + 1, count: end &- start &- 1))
        else { return 0 }
        keys.learn(key, at: place)
        return end &+ 2
    }

    /// The type of the event, where the string between two places names one.
    @inline(__always)
    private static func type(
        _ base: UnsafeRawPointer, _ count: Int, _ start: Int, _ end: Int,
        _ types: WordIndex<EventType>
    ) -> EventType? {
        let length = end &- start &- 2
        // The name and what follows it, mostly more than the longest name has.
        return length > 0 && start &+ 25 <= count
            ? types.find(in: base + start + 1, length)
            : types.find(
                UnsafeRawBufferPointer(start: base + start + 1, count: max(0, length)))
    }

    @inline(__always)
    private mutating func scanValue(
        _ step: KeyPredictor.Step, _ guess: UnsafeMutablePointer<KeyPredictor.Step>
    ) -> Bool {
        guard position < count else { return false }
        let start = position
        let form: TokenForm
        let first = byte(position)
        if first == UInt8(ascii: "\"") {
            var end = start &+ Int(step.length)
            if !guesses || step.length == 0 || end >= count || byte(end) != first {
                end = FastScanner.endOfString(base, count, start)
                guard end > 0 else { return false }
                guess.pointee.length = UInt16(truncatingIfNeeded: end &- start)
            }
            position = end &+ 1
            quotes &-= 2
            form = .string
        } else if first == UInt8(ascii: "t") {
            guard takeWord(0x6575_7274) else { return false }
            form = .yes
        } else if first == UInt8(ascii: "f") {
            position &+= 1
            guard takeWord(0x6573_6C61) else { return false }
            form = .no
        } else {
            let end = FastScanner.endOfInteger(base, count, start)
            guard end > 0 else { return false }
            position = end
            form = .integer
        }
        let token = tokens + Int(step.key.rawValue)
        token.pointee.start = UInt32(truncatingIfNeeded: start)
        token.pointee.count = UInt32(truncatingIfNeeded: position &- start)
        token.pointee.form = form
        return true
    }

    @inline(__always)
    private func byte(_ place: Int) -> UInt8 { base.load(fromByteOffset: place, as: UInt8.self) }

    @inline(__always)
    private static func word(_ base: UnsafeRawPointer, _ place: Int) -> UInt64 {
        UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }

    @inline(__always)
    private mutating func takeWord(_ word: UInt32) -> Bool {
        guard position &+ 4 <= count,
            UInt32(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt32.self))
                == word
        else { return false }
        position &+= 4
        return true
    }

    /// Where an integer without a leading zero ends, 0 where none stands; what follows it is for
    /// the caller to judge.
    @inline(__always)
    private static func endOfInteger(_ base: UnsafeRawPointer, _ count: Int, _ start: Int) -> Int {
        var place = start
        if base.load(fromByteOffset: place, as: UInt8.self) == UInt8(ascii: "-") { place &+= 1 }
        let first = place
        while place &+ 8 <= count {
            // A digit is 0 to 9 here: adding 0x76 sets the high bit of anything more.
            let digits = word(base, place) ^ 0x3030_3030_3030_3030
            let others = (digits | (digits &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080
            place &+= others.trailingZeroBitCount >> 3
            if others != 0 { break }
        }
        while place < count,
            base.load(fromByteOffset: place, as: UInt8.self) &- UInt8(ascii: "0") <= 9
        { place &+= 1 }
        let length = place &- first
        let isOne =
            length == 1
            || (length > 1
                && base.load(fromByteOffset: first, as: UInt8.self) != UInt8(ascii: "0"))
        return isOne ? place : 0
    }

    /// The place of the closing quote of the plain string that begins at a place; 0 where none is.
    @inline(never)
    private static func endOfString(_ base: UnsafeRawPointer, _ count: Int, _ start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var place = start &+ 1
        while place &+ 8 <= count {
            let quote = word(base, place) ^ (ones &* 0x22)
            let found = (quote &- ones) & ~quote & (ones &* 0x80)
            if found != 0 { return place &+ found.trailingZeroBitCount >> 3 }
            place &+= 8
        }
        while place < count {
            if base.load(fromByteOffset: place, as: UInt8.self) == UInt8(ascii: "\"") {
                return place
            }
            place &+= 1
        }
        return 0
    }
}
