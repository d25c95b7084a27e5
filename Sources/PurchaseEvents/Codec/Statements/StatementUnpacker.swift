/// Restores the text of packed bytes (``StatementPacking``).
struct StatementUnpacker {
    let packed: UnsafeRawBufferPointer
    let names: NameTable
    private(set) var text: [UInt8] = []
    private var place = 0
    /// Whether the value of the last key began with a quote.
    private var isQuoted = false

    init(packed: UnsafeRawBufferPointer, names: NameTable) {
        self.packed = packed
        self.names = names
    }

    mutating func unpack() {
        while place < packed.count {
            let byte = nextByte()
            if byte >= StatementPacking.usualKey {
                guard let key = Key(rawValue: byte & ~StatementPacking.usualKey) else { return }
                unpack(key, StatementForm.usual(of: key), endsQuote: isQuoted)
            } else if byte >= StatementPacking.firstPlain {
                text.append(byte)
            } else if byte == StatementPacking.escape {
                text.append(nextByte())
            } else {
                let number = byte - StatementPacking.keyBase
                guard let form = StatementForm(rawValue: number / 2),
                    let key = Key(rawValue: nextByte())
                else { return }
                unpack(key, form, endsQuote: number & 1 != 0)
            }
        }
    }

    private mutating func unpack(_ key: Key, _ form: StatementForm, endsQuote: Bool) {
        if endsQuote { text.append(StatementPacking.quote) }
        text.append(StatementPacking.comma)
        text += key.quotedName
        isQuoted = form.isQuoted
        if isQuoted { text.append(StatementPacking.quote) }
        switch form {
        case .bare, .string: break
        case .name: unpackName(key)
        case .uuid: unpackUUID()
        case .digits:
            put(Hex.digits(of: nextWord()))
            put(Hex.digits(of: nextWord()))
        case .milliseconds: putDate(Int64(nextNumber(ofBytes: 6)))
        case .seconds: putDate(Int64(nextNumber(ofBytes: 4)) * Timestamp.second)
        case .number: text += String(nextNumber()).utf8
        }
    }

    private mutating func unpackName(_ key: Key) {
        let handle = UInt32(truncatingIfNeeded: nextNumber())
        guard let (_, role) = StatementNames.place(of: key) else { return }
        names.withBytes(of: handle, role) { text += $0 }
    }

    private mutating func unpackUUID() {
        let high = UInt64(nextWord()) << 32 | UInt64(nextWord())
        let low = UInt64(nextWord()) << 32 | UInt64(nextWord())
        withUnsafeTemporaryAllocation(byteCount: PackedName.uuidCount, alignment: 8) { bytes in
            _ = PackedName.write(uuid: high, low, to: bytes)
            text += bytes
        }
    }

    private mutating func putDate(_ milliseconds: Int64) {
        text += Timestamp(milliseconds: milliseconds).text.utf8
    }

    /// Appends eight bytes, the highest first.
    private mutating func put(_ bytes: UInt64) {
        withUnsafeBytes(of: bytes.bigEndian) { text += $0 }
    }

    private mutating func nextByte() -> UInt8 {
        let byte = packed[place]
        place += 1
        return byte
    }

    private mutating func nextWord() -> UInt32 {
        let word = packed.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        place += 4
        return UInt32(bigEndian: word)
    }

    /// The next number of `count` bytes, the lowest byte first.
    private mutating func nextNumber(ofBytes count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(nextByte()) << UInt64($1 * 8) }
    }

    private mutating func nextNumber() -> UInt64 {
        guard let base = packed.baseAddress else { return 0 }
        var end = base + place
        defer { place = end - base }
        return ShortNumber.read(at: &end)
    }
}
