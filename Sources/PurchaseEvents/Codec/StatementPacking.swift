/// A statement's canonical bytes in fewer: a folded log keeps those of every purchase, to break
/// ties of versions by them, and hardly ever looks at them again.
///
/// A key is a byte or two, and names, UUIDs, dates and numbers, which most of a statement is, are a
/// few bytes; the rest stands as it is. What stands for a key are control characters and bytes
/// above ASCII, of which canonical bytes hold none or few. With the same names equal bytes become
/// equal bytes, and different ones different ones.
package enum StatementPacking {
    /// Before a byte that would be taken for something else.
    static let escape: UInt8 = 0
    /// Before the number of a key, for `,"key":` and its value; twice the number of its
    /// ``StatementForm`` more, and 1 more with the quote that ends the value before it.
    static let key: UInt8 = 1
    /// With the number of a key: the key with its usual form, and with the quote before it just
    /// where the value before it has one.
    static let usualKey: UInt8 = 0x80
    /// The first byte that stands for itself; those from ``usualKey`` on don't either.
    static let firstPlain: UInt8 = 0x20

    static let quote = UInt8(ascii: "\""), comma = UInt8(ascii: ",")

    /// The text that packed bytes stand for, by the table whose names were packed.
    package static func unpack(_ packed: UnsafeRawBufferPointer, _ names: NameTable) -> [UInt8] {
        var unpacker = StatementUnpacker(packed: packed, names: names)
        unpacker.unpack()
        return unpacker.text
    }
}

/// Packs statements (``StatementPacking``); it remembers which key came after which, for the next
/// statement mostly has the same ones.
package final class StatementPacker {
    /// The key that followed each key last, by its number; at ``start`` the one that came first.
    private let following: UnsafeMutablePointer<Key>
    private let days = DayCache()
    /// More than the number of any key.
    fileprivate static let start = 127

    package init() {
        following = .allocate(capacity: StatementPacker.start + 1)
        following.initialize(repeating: .account, count: StatementPacker.start + 1)
    }

    deinit {
        following.deallocate()
        days.deallocate()
    }

    /// The most bytes that a text of so many becomes.
    package static func room(for count: Int) -> Int { count * 2 + 17 }

    /// Writes what stands for a statement of a type, from the quote of `"type"` up to the closing
    /// brace, to a place with ``room(for:)`` it; how many bytes it is.
    ///
    /// They begin with the place of the type among all types by the bytes of their names, which
    /// statements begin with: beyond the name only those of one type are compared.
    package func pack(
        _ statement: UnsafeRawBufferPointer, of type: EventType, _ names: StatementNames,
        to place: UnsafeMutablePointer<UInt8>
    ) -> Int {
        let name = type.wireName.utf8.count + #""type":"""#.utf8.count
        let rest = UnsafeRawBufferPointer(rebasing: statement.dropFirst(name))
        place.initialize(to: StatementPacker.ranks[Int(type.rawValue)])
        return 1 + pack(rest, names, to: place + 1)
    }

    /// As ``pack(_:of:_:to:)``, of a plain line with its keys in order whose values are known: the
    /// names are those that the event was made with. Costs the number of keys.
    func pack(
        _ line: UnsafeRawPointer, _ tokens: UnsafePointer<Token>, _ present: KeySet,
        of type: EventType, _ names: StatementNames, to place: UnsafeMutablePointer<UInt8>
    ) -> Int {
        place.initialize(to: StatementPacker.ranks[Int(type.rawValue)])
        var packing = Packing(
            text: line, count: 0, names: names, following: following, days: days,
            end: UnsafeMutableRawPointer(place + 1))
        // What comes first is the comma behind the type.
        var quotes = 0
        for key in StatementPacker.keys[Int(type.rawValue)] where present.contains(key) {
            quotes = packing.pack(key, tokens[Int(key.rawValue)], after: quotes)
        }
        if quotes == 1 { packing.put(StatementPacking.quote) }
        return packing.end - UnsafeMutableRawPointer(place)
    }

    /// The keys behind the type that a statement of each type may have, in their order.
    private static let keys: [[Key]] = EventType.allCases.map { type in
        type.canonicalFields.map(\.key).filter { ![.seq, .at, .type, .chain].contains($0) }
    }

    private static let ranks: [UInt8] = {
        let sorted = EventType.allCases.sorted { $0.wireName < $1.wireName }
        return EventType.allCases.map { UInt8(sorted.firstIndex(of: $0) ?? 0) }
    }()

    /// Writes what stands for a text to a place with ``room(for:)`` it; how many bytes it is.
    ///
    /// Takes any bytes. Costs one pass.
    package func pack(
        _ text: UnsafeRawBufferPointer, _ names: StatementNames,
        to place: UnsafeMutablePointer<UInt8>
    ) -> Int {
        guard let base = text.baseAddress else { return 0 }
        var packing = Packing(
            text: base, count: text.count, names: names, following: following, days: days,
            end: UnsafeMutableRawPointer(place))
        packing.pack()
        return packing.end - UnsafeMutableRawPointer(place)
    }
}

/// One statement that is being packed.
private struct Packing {
    let text: UnsafeRawPointer
    /// Where the text ends, or the value that is packed.
    var count: Int
    let names: StatementNames
    /// Whether the names are known to be those of the text.
    var areNamesKnown = false
    let following: UnsafeMutablePointer<Key>
    let days: DayCache
    var end: UnsafeMutableRawPointer
    var place = 0
    /// The index in ``following`` of the key that came last.
    var latest = StatementPacker.start
    /// Whether its value began with a quote.
    var isQuoted = false
    let patterns = KeyPatterns.shared

    init(
        text: UnsafeRawPointer, count: Int, names: StatementNames,
        following: UnsafeMutablePointer<Key>, days: DayCache, end: UnsafeMutableRawPointer
    ) {
        (self.text, self.count, self.names, self.end) = (text, count, names, end)
        (self.following, self.days) = (following, days)
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

    /// Packs a key and its plain value, behind so many quotes of the value before; how many end
    /// this one.
    @inline(__always)
    mutating func pack(_ key: Key, _ token: Token, after quotes: Int) -> Int {
        let ownQuotes = token.form == .string ? 1 : 0
        place = Int(token.start)
        count = place &+ Int(token.count)
        areNamesKnown = true
        put(key, after: quotes)
        while place < count &- ownQuotes {
            put(byte(at: 0))
            place &+= 1
        }
        return ownQuotes
    }

    /// Copies bytes that stand for themselves, eight at a time, as long as there are as many.
    @inline(__always)
    private mutating func copyPlainBytes() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        while place &+ 8 <= count {
            let word = text.word(at: place)
            let quote = word ^ (ones &* UInt64(StatementPacking.quote))
            let comma = word ^ (ones &* UInt64(StatementPacking.comma))
            let mark = word & (ones &* 0xE0)
            let zeros =
                ((quote &- ones) & ~quote) | ((comma &- ones) & ~comma) | ((mark &- ones) & ~mark)
            // The lowest high bit is right; those above it may be told by a carry alone.
            let plain = ((zeros | word) & (ones &* 0x80)).trailingZeroBitCount &>> 3
            end.storeBytes(of: word.littleEndian, as: UInt64.self)
            end += plain
            place &+= plain
            if plain < 8 { return }
        }
    }

    /// Packs the key at a comma or at the quote before one, and what its value begins with;
    /// `false` where there is none.
    @inline(__always)
    private mutating func packKey() -> Bool {
        let quotes = byte(at: 0) == StatementPacking.quote ? 1 : 0
        let start = place &+ quotes &+ 1
        guard start < count, byte(at: quotes) == StatementPacking.comma else { return false }
        let guess = following[latest]
        let key: Key
        let length: Int
        if let found = patterns.length(of: guess, at: start, in: text, count) {
            (key, length) = (guess, found)
        } else {
            guard let found = otherKey(at: start) else { return false }
            (key, length) = found
            following[latest] = key
        }
        latest = Int(key.rawValue)
        place = start &+ length
        put(key, after: quotes)
        return true
    }

    /// Packs a key behind so many quotes, and what the value at the place begins with.
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
        let mark = StatementPacking.key &+ UInt8(truncatingIfNeeded: quotes) &+ form.rawValue &* 2
        head.storeBytes(of: mark, as: UInt8.self)
        head.storeBytes(of: key.rawValue, toByteOffset: 1, as: UInt8.self)
        isQuoted = form.isQuoted
    }

    /// The key that stands at a place, whatever it is, and how long it is with quotes and colon.
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

    /// Packs what a value begins with in whatever form it has.
    private mutating func packOther(_ key: Key) -> StatementForm {
        let forms: [StatementForm] = [.name, .uuid, .seconds, .milliseconds, .digits, .string]
        for form in forms where packValue(form, key) { return form }
        return packValue(.number, key) ? .number : .bare
    }

    /// Packs what a value begins with in a form; `false` where it doesn't have it.
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

    /// Packs a date, one of a whole second as such.
    @inline(__always)
    private mutating func packDate(isWhole: Bool) -> Bool {
        guard count &- place >= 24,
            let date = Timestamp(
                canonical: UnsafeRawBufferPointer(start: text + place, count: 24), days)
        else { return false }
        let (seconds, thousandths) = date.milliseconds.quotientAndRemainder(
            dividingBy: Timestamp.second)
        guard isWhole else {
            guard let number = UInt64(exactly: date.milliseconds) else { return false }
            end.storeBytes(of: number.littleEndian, as: UInt64.self)
            // Those of the year 9999 have 48 bits.
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

    /// Packs the digits of a number, all that there are.
    @inline(__always)
    private mutating func packNumber() -> Bool {
        var (number, length) = (UInt64(0), 0)
        while place &+ length < count {
            let digit = byte(at: length) &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            // No 18 digits overflow.
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

    /// The eight bytes so far behind the place, the first highest.
    @inline(__always)
    private func word(at offset: Int) -> UInt64 { text.word(at: place &+ offset).byteSwapped }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        end.storeBytes(of: byte, as: UInt8.self)
        end += 1
    }
}
