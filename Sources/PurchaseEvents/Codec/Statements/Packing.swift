/// The state of packing one statement.
struct Packing {
    let text: UnsafeRawPointer
    /// The end of the text, or of the value being packed.
    var count: Int
    let names: StatementNames
    /// Whether ``names`` are known to be the names in the text, so that no comparison is needed.
    var areNamesKnown = false
    let following: UnsafeMutablePointer<Key>
    let times: TimeCache
    var end: UnsafeMutableRawPointer
    var place = 0
    /// The index in ``following`` of the last key.
    var lastKeyIndex = StatementPacker.start
    /// Whether the last key's value began with a quote.
    var isQuoted = false
    let patterns = QuotedKeys.shared

    init(
        text: UnsafeRawPointer, count: Int, names: StatementNames,
        following: UnsafeMutablePointer<Key>, times: TimeCache, end: UnsafeMutableRawPointer
    ) {
        (self.text, self.count, self.names, self.end) = (text, count, names, end)
        (self.following, self.times) = (following, times)
    }

    mutating func pack() {
        while place < count {
            copyPlainBytes()
            guard place < count else { return }
            let byte = byte(at: 0)
            if byte == StatementPacking.quote || byte == StatementPacking.comma, packKey() {
                continue
            }
            if byte < StatementPacking.firstPlain || byte >= StatementPacking.usualKey {
                put(StatementPacking.escape)
            }
            put(byte)
            place &+= 1
        }
    }

    /// Packs a key and its plain value; returns the number of quotes that end the value.
    ///
    /// `quotes` is the number of quotes that end the previous value.
    @inline(__always)
    mutating func pack(_ key: Key, _ token: Token, after quotes: Int) -> Int {
        let ownQuotes = token.form == .string ? 1 : 0
        place = token.start
        count = place &+ token.count
        areNamesKnown = true
        put(key, after: quotes)
        while place < count &- ownQuotes {
            put(byte(at: 0))
            place &+= 1
        }
        return ownQuotes
    }

    /// Copies bytes that stand for themselves, eight at a time, up to the first other byte.
    @inline(__always)
    private mutating func copyPlainBytes() {
        while place &+ 8 <= count {
            let word = text.word(at: place)
            let others =
                EightBytes.equal(to: StatementPacking.quote, in: word)
                | EightBytes.equal(to: StatementPacking.comma, in: word)
                | EightBytes.equal(to: 0, in: word & EightBytes.all(0xE0))
                | word & EightBytes.all(0x80)
            // The lowest set bit is right; a borrow may falsify the bits above it.
            let plain = others.trailingZeroBitCount &>> 3
            end.storeBytes(of: word.littleEndian, as: UInt64.self)
            end += plain
            place &+= plain
            if plain < 8 { return }
        }
    }

    /// Packs the key at a comma, or at the quote before a comma, and the beginning of its value;
    /// returns `false` if there is no key.
    @inline(__always)
    private mutating func packKey() -> Bool {
        let quotes = byte(at: 0) == StatementPacking.quote ? 1 : 0
        let start = place &+ quotes &+ 1
        guard start < count, byte(at: quotes) == StatementPacking.comma else { return false }
        let guess = following[lastKeyIndex]
        let key: Key
        let length: Int
        if let found = patterns.length(of: guess, at: start, in: text, count) {
            (key, length) = (guess, found)
        } else {
            guard let found = otherKey(at: start) else { return false }
            (key, length) = found
            following[lastKeyIndex] = key
        }
        lastKeyIndex = Int(key.rawValue)
        place = start &+ length
        put(key, after: quotes)
        return true
    }

    /// Packs a key that follows `quotes` quotes, and the beginning of the value at ``place``.
    @inline(__always)
    private mutating func put(_ key: Key, after quotes: Int) {
        let head = end
        let usual = StatementForm.usual(of: key)
        end += 1
        if isQuoted == (quotes == 1), packValue(usual, key) {
            head.storeBytes(of: StatementPacking.usualKey | key.rawValue, as: UInt8.self)
            isQuoted = usual.isQuoted
            return
        }
        end = head + 2
        let form = packOther(key)
        let mark =
            StatementPacking.keyBase &+ UInt8(truncatingIfNeeded: quotes) &+ form.rawValue &* 2
        head.storeBytes(of: mark, as: UInt8.self)
        head.storeBytes(of: key.rawValue, toByteOffset: 1, as: UInt8.self)
        isQuoted = form.isQuoted
    }

    /// The known key at a place and its length with quotes and colon, or `nil` if there is none.
    private func otherKey(at start: Int) -> (Key, Int)? {
        let rest = UnsafeRawBufferPointer(start: text + start, count: count &- start)
        guard rest.count > 1, rest[0] == StatementPacking.quote else { return nil }
        var end = 1
        while end < rest.count, rest[end] != StatementPacking.quote { end &+= 1 }
        guard end &+ 1 < rest.count, rest[end &+ 1] == UInt8(ascii: ":"),
            let key = Key.names.find(UnsafeRawBufferPointer(rebasing: rest[1..<end]))
        else { return nil }
        return (key, end &+ 2)
    }

    /// Packs the beginning of a value in the first form that fits, and returns the form.
    private mutating func packOther(_ key: Key) -> StatementForm {
        let forms: [StatementForm] = [.name, .uuid, .seconds, .milliseconds, .digits, .string]
        for form in forms where packValue(form, key) { return form }
        return packValue(.number, key) ? .number : .bare
    }

    /// Packs the beginning of a value in a given form; returns `false` if the value has another
    /// form.
    @inline(__always)
    private mutating func packValue(_ form: StatementForm, _ key: Key) -> Bool {
        let startsString = place < count && byte(at: 0) == StatementPacking.quote
        switch form {
        case .bare: return !startsString
        case .number: return packNumber()
        case .string, .name, .uuid, .digits, .milliseconds, .seconds: break
        }
        guard startsString else { return false }
        place &+= 1
        let isPacked =
            switch form {
            case .bare, .number, .string: true
            case .name: packName(key)
            case .uuid: packUUID()
            case .digits: packDigits()
            case .milliseconds: packDate(isWhole: false)
            case .seconds: packDate(isWhole: true)
            }
        if !isPacked { place &-= 1 }
        return isPacked
    }

    @inline(__always)
    private mutating func packName(_ key: Key) -> Bool {
        guard let (handle, role) = names.name(at: key) else { return false }
        if areNamesKnown {
            ShortNumber.write(UInt64(handle), to: &end)
            place = count &- 1
            return true
        }
        let table = names.tables + Int(role.rawValue)
        let length = table.pointee.length(of: handle)
        guard place &+ length < count, byte(at: length) == StatementPacking.quote,
            table.pointee.areEqual(
                handle, UnsafeRawBufferPointer(start: text + place, count: length))
        else { return false }
        ShortNumber.write(UInt64(handle), to: &end)
        place &+= length
        return true
    }

    @inline(__always)
    private mutating func packUUID() -> Bool {
        let length = PackedName.uuidCount
        guard count &- place >= length,
            let (high, low) = PackedName.uuid(
                UnsafeRawBufferPointer(start: text + place, count: length))
        else { return false }
        end.storeBytes(of: high.bigEndian, as: UInt64.self)
        end.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        end += 16
        place &+= length
        return true
    }

    /// Packs a date as milliseconds, or, if `isWhole`, as whole seconds in fewer bytes.
    @inline(__always)
    private mutating func packDate(isWhole: Bool) -> Bool {
        guard count &- place >= 24,
            let date = Timestamp(
                canonical: UnsafeRawBufferPointer(start: text + place, count: 24), times)
        else { return false }
        let (seconds, thousandths) = date.milliseconds.quotientAndRemainder(
            dividingBy: Timestamp.second)
        guard isWhole else {
            guard let number = UInt64(exactly: date.milliseconds) else { return false }
            end.storeBytes(of: number.littleEndian, as: UInt64.self)
            // The milliseconds of the year 9999 need 48 bits.
            end += 6
            place &+= 24
            return true
        }
        guard thousandths == 0, let number = UInt32(exactly: seconds) else { return false }
        end.storeBytes(of: number.littleEndian, as: UInt32.self)
        end += 4
        place &+= 24
        return true
    }

    @inline(__always)
    private mutating func packDigits() -> Bool {
        guard count &- place >= 16, let first = Hex.word(ofDigits: word(at: 0)),
            let second = Hex.word(ofDigits: word(at: 8))
        else { return false }
        end.storeBytes(of: first.bigEndian, as: UInt32.self)
        end.storeBytes(of: second.bigEndian, toByteOffset: 4, as: UInt32.self)
        end += 8
        place &+= 16
        return true
    }

    /// Packs all digits of a number of at most 18 digits without a leading zero.
    @inline(__always)
    private mutating func packNumber() -> Bool {
        var (number, length) = (UInt64(0), 0)
        while place &+ length < count {
            let digit = byte(at: length) &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            // 18 digits can't overflow.
            guard length < 18, length == 0 || number != 0 else { return false }
            number = number &* 10 &+ UInt64(digit)
            length &+= 1
        }
        guard length > 0 else { return false }
        ShortNumber.write(number, to: &end)
        place &+= length
        return true
    }

    @inline(__always)
    private func byte(at offset: Int) -> UInt8 {
        text.load(fromByteOffset: place &+ offset, as: UInt8.self)
    }

    /// The eight bytes at an offset from ``place``, the first byte highest.
    @inline(__always)
    private func word(at offset: Int) -> UInt64 { text.word(at: place &+ offset).byteSwapped }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        end.storeBytes(of: byte, as: UInt8.self)
        end += 1
    }
}
