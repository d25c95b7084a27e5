/// A statement's canonical bytes in fewer: a folded log keeps those of every purchase, to break
/// ties of versions by them, and hardly ever looks at them again.
///
/// Keys, UUIDs, dates and numbers of 16 digits, which most of a statement is, stand as a mark and a
/// few bytes; the rest stands as it is. Marks are control characters, of which canonical bytes
/// hold none. Equal bytes become equal bytes, and different ones different ones.
package enum StatementPacking {
    /// The bytes that stand for something else.
    fileprivate enum Mark {
        /// Before a byte that would be taken for a mark.
        static let byte: UInt8 = 0
        /// Before the number of a key, for `,"key":`; 1 more with the quote that ends the value
        /// before it, 2 more with the one that begins its own.
        static let key: UInt8 = 1
        /// Before the 16 bytes of a UUID in lower case.
        static let uuid: UInt8 = 5
        /// Before the eight bytes of 16 hexadecimal digits in lower case.
        static let digits: UInt8 = 6
        /// Before the twelve bytes of a date, four bits a digit.
        static let date: UInt8 = 7
    }

    fileprivate static let quote = UInt8(ascii: "\""), comma = UInt8(ascii: ",")

    /// The text that packed bytes stand for.
    package static func unpack(_ packed: UnsafeRawBufferPointer) -> [UInt8] {
        var unpacker = Unpacker(packed: packed)
        unpacker.unpack()
        return unpacker.text
    }
}

/// Packs statements (``StatementPacking``); it remembers which key came after which, for the next
/// statement mostly has the same ones.
package struct StatementPacker: Sendable {
    /// The key that followed each key last, by its number; at ``start`` the one that came first.
    private var following = [Key](repeating: .account, count: start + 1)
    /// More than the number of any key.
    fileprivate static let start = 127

    package init() {}

    /// The most bytes that a text of so many becomes.
    package static func room(for count: Int) -> Int { count * 2 + 8 }

    /// Writes what stands for a text to a place with ``room(for:)`` it; how many bytes it is.
    ///
    /// Takes any bytes. Costs one pass.
    package mutating func pack(
        _ text: UnsafeRawBufferPointer, to place: UnsafeMutablePointer<UInt8>
    ) -> Int {
        guard let base = text.baseAddress else { return 0 }
        return following.withUnsafeMutableBufferPointer { following in
            guard let following = following.baseAddress else { return 0 }
            var packing = Packing(
                text: base, count: text.count, following: following,
                end: UnsafeMutableRawPointer(place))
            packing.pack()
            return packing.end - UnsafeMutableRawPointer(place)
        }
    }
}

/// Eight bytes of a date `YYYY-MM-DDTHH:MM:SS.mmmZ`, the first byte highest.
private struct DatePart {
    /// Zeros for digits.
    let form: UInt64
    /// All bits of the bytes that are no digits.
    let others: UInt64

    static let day = DatePart(form: 0x3030_3030_2D30_302D, others: 0x0000_0000_FF00_00FF)
    static let hour = DatePart(form: 0x3030_5430_303A_3030, others: 0x0000_FF00_00FF_0000)
    static let second = DatePart(form: 0x3A30_302E_3030_305A, others: 0xFF00_00FF_0000_00FF)

    /// Four bits a byte, those of the digits; `nil` where the bytes aren't of the form.
    @inline(__always)
    func word(of bytes: UInt64) -> UInt32? {
        let values = bytes ^ form
        // Adding 0x76 sets the high bit of anything more than 9.
        let tall = (values | (values &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080
        guard tall | values & others == 0 else { return nil }
        return Hex.word(ofValues: values)
    }

    func bytes(of word: UInt32) -> UInt64 { Hex.values(of: word) ^ form }
}

/// One statement that is being packed.
private struct Packing {
    let text: UnsafeRawPointer
    let count: Int
    let following: UnsafeMutablePointer<Key>
    var end: UnsafeMutableRawPointer
    var place = 0
    /// The index in ``following`` of the key that came last.
    var latest = StatementPacker.start
    let patterns = KeyPatterns.shared

    init(
        text: UnsafeRawPointer, count: Int, following: UnsafeMutablePointer<Key>,
        end: UnsafeMutableRawPointer
    ) {
        (self.text, self.count, self.following, self.end) = (text, count, following, end)
    }

    mutating func pack() {
        while place < count {
            copyPlainBytes()
            guard place < count else { return }
            let byte = byte(at: 0)
            if byte == StatementPacking.quote || byte == StatementPacking.comma, packKey() {
                continue
            }
            if byte <= StatementPacking.Mark.date { put(StatementPacking.Mark.byte) }
            put(byte)
            place &+= 1
        }
    }

    /// Copies bytes that stand for themselves, eight at a time, as long as there are as many.
    @inline(__always)
    private mutating func copyPlainBytes() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        while place &+ 8 <= count {
            let word = text.word(at: place)
            let quote = word ^ (ones &* UInt64(StatementPacking.quote))
            let comma = word ^ (ones &* UInt64(StatementPacking.comma))
            let mark = word & (ones &* 0xF8)
            let zeros =
                ((quote &- ones) & ~quote) | ((comma &- ones) & ~comma) | ((mark &- ones) & ~mark)
            // The lowest high bit is right; those above it may be told by a carry alone.
            let plain = (zeros & (ones &* 0x80)).trailingZeroBitCount &>> 3
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
        let opens = place < count && byte(at: 0) == StatementPacking.quote ? 1 : 0
        put(StatementPacking.Mark.key &+ UInt8(truncatingIfNeeded: quotes &+ 2 &* opens))
        put(key.rawValue)
        place &+= opens
        if opens != 0 { packValue() }
        return true
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

    /// Packs what a string begins with, where there is a mark for it.
    @inline(__always)
    private mutating func packValue() {
        let left = count &- place
        let hyphen = UInt8(ascii: "-")
        if left >= 36, byte(at: 8) == hyphen {
            if byte(at: 13) == hyphen, byte(at: 18) == hyphen, byte(at: 23) == hyphen { packUUID() }
        } else if left >= 24, byte(at: 4) == hyphen {
            packDate()
        } else if left >= 16 {
            packDigits()
        }
    }

    @inline(__always)
    private mutating func packUUID() {
        // Groups of 8, 4, 4, 4 and 12 digits.
        let four: UInt64 = 0xFFFF_FFFF_0000_0000
        let second = word(at: 9) & four | word(at: 14) &>> 32
        let third = word(at: 19) & four | word(at: 24) &>> 32
        guard let first = Hex.word(ofDigits: word(at: 0)),
            let second = Hex.word(ofDigits: second), let third = Hex.word(ofDigits: third),
            let last = Hex.word(ofDigits: word(at: 28))
        else { return }
        put(StatementPacking.Mark.uuid)
        put(first, second)
        put(third, last)
        place &+= 36
    }

    @inline(__always)
    private mutating func packDate() {
        guard let day = DatePart.day.word(of: word(at: 0)),
            let hour = DatePart.hour.word(of: word(at: 8)),
            let second = DatePart.second.word(of: word(at: 16))
        else { return }
        put(StatementPacking.Mark.date)
        put(day, hour)
        end.storeBytes(of: second.bigEndian, as: UInt32.self)
        end += 4
        place &+= 24
    }

    @inline(__always)
    private mutating func packDigits() {
        guard let first = Hex.word(ofDigits: word(at: 0)),
            let second = Hex.word(ofDigits: word(at: 8))
        else { return }
        put(StatementPacking.Mark.digits)
        put(first, second)
        place &+= 16
    }

    @inline(__always)
    private func byte(at offset: Int) -> UInt8 {
        text.load(fromByteOffset: place &+ offset, as: UInt8.self)
    }

    /// The eight bytes so far behind the place, the first highest.
    @inline(__always)
    private func word(at offset: Int) -> UInt64 { text.word(at: place &+ offset).byteSwapped }

    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        end.storeBytes(of: byte, as: UInt8.self)
        end += 1
    }

    @inline(__always)
    private mutating func put(_ first: UInt32, _ second: UInt32) {
        end.storeBytes(of: first.bigEndian, as: UInt32.self)
        end.storeBytes(of: second.bigEndian, toByteOffset: 4, as: UInt32.self)
        end += 8
    }
}

private struct Unpacker {
    var packed: UnsafeRawBufferPointer
    var text: [UInt8] = []
    var place = 0

    init(packed: UnsafeRawBufferPointer) { self.packed = packed }

    mutating func unpack() {
        while place < packed.count {
            let byte = packed[place]
            place += 1
            if byte > StatementPacking.Mark.date {
                text.append(byte)
            } else if byte == StatementPacking.Mark.byte {
                text.append(packed[place])
                place += 1
            } else if byte == StatementPacking.Mark.uuid {
                unpackUUID()
            } else if byte == StatementPacking.Mark.digits {
                put(Hex.digits(of: nextWord()))
                put(Hex.digits(of: nextWord()))
            } else if byte == StatementPacking.Mark.date {
                put(DatePart.day.bytes(of: nextWord()))
                put(DatePart.hour.bytes(of: nextWord()))
                put(DatePart.second.bytes(of: nextWord()))
            } else {
                unpackKey(byte - StatementPacking.Mark.key)
            }
        }
    }

    private mutating func unpackKey(_ quotes: UInt8) {
        if quotes & 1 != 0 { text.append(StatementPacking.quote) }
        text.append(StatementPacking.comma)
        text += Key(rawValue: packed[place])?.quotedName ?? []
        place += 1
        if quotes & 2 != 0 { text.append(StatementPacking.quote) }
    }

    private mutating func unpackUUID() {
        let start = text.count
        for _ in 0..<4 { put(Hex.digits(of: nextWord())) }
        for hyphen in [8, 13, 18, 23] { text.insert(UInt8(ascii: "-"), at: start + hyphen) }
    }

    /// Appends eight bytes, the highest first.
    private mutating func put(_ bytes: UInt64) {
        withUnsafeBytes(of: bytes.bigEndian) { text += $0 }
    }

    private mutating func nextWord() -> UInt32 {
        let word = packed.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        place += 4
        return UInt32(bigEndian: word)
    }
}
