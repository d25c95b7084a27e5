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

    /// The most bytes that a text of so many becomes.
    package static func room(for count: Int) -> Int { count * 2 }

    /// Writes what stands for a text to a place with ``room(for:)`` it; how many bytes it is.
    ///
    /// Takes any bytes. Costs one pass.
    package static func pack(
        _ text: UnsafeRawBufferPointer, to place: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var packer = Packer(text: text, end: UnsafeMutableRawPointer(place))
        packer.pack()
        return packer.end - UnsafeMutableRawPointer(place)
    }

    /// The text that packed bytes stand for.
    package static func unpack(_ packed: UnsafeRawBufferPointer) -> [UInt8] {
        var unpacker = Unpacker(packed: packed)
        unpacker.unpack()
        return unpacker.text
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

private struct Packer {
    let text: UnsafeRawBufferPointer
    var place = 0
    var end: UnsafeMutableRawPointer

    init(text: UnsafeRawBufferPointer, end: UnsafeMutableRawPointer) {
        (self.text, self.end) = (text, end)
    }

    mutating func pack() {
        while place < text.count {
            let byte = text[place]
            if byte == StatementPacking.quote || byte == StatementPacking.comma, packKey() {
                continue
            }
            if byte <= StatementPacking.Mark.date { put(StatementPacking.Mark.byte) }
            put(byte)
            place &+= 1
        }
    }

    /// Packs the key at a comma or at the quote before one, and what its value begins with;
    /// `false` where there is none.
    @inline(__always)
    private mutating func packKey() -> Bool {
        let quotes = text[place] == StatementPacking.quote ? 1 : 0
        let start = place &+ quotes &+ 2
        guard start < text.count, text[start &- 2] == StatementPacking.comma,
            text[start &- 1] == StatementPacking.quote
        else { return false }
        var close = start
        while close < text.count, text[close] != StatementPacking.quote { close &+= 1 }
        // Behind it the colon, and the value's quote or its first byte.
        guard close &+ 2 < text.count, text[close &+ 1] == UInt8(ascii: ":"),
            let key = Key.names.find(UnsafeRawBufferPointer(rebasing: text[start..<close]))
        else { return false }
        let opens = text[close &+ 2] == StatementPacking.quote ? 1 : 0
        put(StatementPacking.Mark.key &+ UInt8(truncatingIfNeeded: quotes &+ 2 &* opens))
        put(key.rawValue)
        place = close &+ 2 &+ opens
        if opens != 0 { packValue() }
        return true
    }

    /// Packs what a string begins with, where there is a mark for it.
    @inline(__always)
    private mutating func packValue() {
        let left = text.count &- place
        if left >= 36, text[place &+ 8] == UInt8(ascii: "-") {
            packUUID()
        } else if left >= 24, text[place &+ 4] == UInt8(ascii: "-") {
            packDate()
        } else if left >= 16 {
            packDigits()
        }
    }

    @inline(__always)
    private mutating func packUUID() {
        let hyphen = UInt8(ascii: "-")
        let hyphens =
            text[place &+ 13] == hyphen && text[place &+ 18] == hyphen
            && text[place &+ 23] == hyphen
        // Groups of 8, 4, 4, 4 and 12 digits.
        let four: UInt64 = 0xFFFF_FFFF_0000_0000
        let second = word(at: 9) & four | word(at: 14) &>> 32
        let third = word(at: 19) & four | word(at: 24) &>> 32
        guard hyphens, let first = Hex.word(ofDigits: word(at: 0)),
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
