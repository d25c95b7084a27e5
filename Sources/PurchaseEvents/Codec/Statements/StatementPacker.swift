/// Packs the statement of an event: its content, which is every key but `seq`, `at` and `chain`.
///
/// A fold keeps the statement of every purchase to break ties between versions, and hardly ever
/// reads it. The packed bytes begin with the rank of the type's name among all type names, so the
/// first byte alone sorts statements of different types like their text. Then each field takes a
/// byte for its key, and mostly a ``ShortNumber`` for its value: the handle of a name, an integer,
/// the place of a word in its list. With the same names, equal statements pack equally, and
/// different ones differently. ``StatementText`` restores the text.
struct StatementPacker: FieldWriter {
    typealias S = Interned

    /// Added to a key's number if its value has the other form: a time in whole seconds, a flag
    /// that is set, a text that begins with a UUID.
    static let otherForm: UInt8 = 0x80

    /// The line, whose texts are canonical, and the places of its values.
    private let line: UnsafeRawPointer
    private let tokens: UnsafePointer<Token>
    private(set) var end: UnsafeMutableRawPointer

    /// Packs a statement to a place with the size of ``room(for:)``; returns the bytes written.
    static func pack(
        _ event: UnsafePointer<LogEvent>, _ line: UnsafeRawPointer,
        _ tokens: UnsafePointer<Token>, to place: UnsafeMutablePointer<UInt8>
    ) -> Int {
        place.initialize(to: rank(of: event.pointee.type))
        let start = UnsafeMutableRawPointer(place)
        var packer = StatementPacker(line: line, tokens: tokens, end: start + 1)
        // A packer accepts every field, so nothing throws.
        try? event.pointee.writeMembers(to: &packer)
        return packer.end - start
    }

    static func room(for count: Int) -> Int { count &+ Key.room &* (1 + ShortNumber.longest) }

    @inline(__always)
    static func rank(of type: EventType) -> UInt8 { ranks[Int(type.rawValue)] }

    private static let ranks = EventType.allCases.map { type in
        UInt8(EventType.byName.firstIndex(of: type) ?? 0)
    }

    @inline(__always)
    mutating func write(id: Fingerprint?) { if id != nil { putText(.id) } }

    @inline(__always)
    mutating func write<Role>(_ key: Key, _ name: Identifier<Role, Interned>?) {
        if let name { put(key.rawValue, UInt64(name.name.rawValue)) }
    }

    mutating func write(_ key: Key, _ text: TextSpan?) { if text != nil { putText(key) } }

    @inline(__always)
    mutating func write(_ key: Key, _ time: Timestamp?) {
        guard let time else { return }
        let (seconds, rest) = time.milliseconds.quotientAndRemainder(dividingBy: Timestamp.second)
        if rest == 0, let seconds = UInt32(exactly: seconds) {
            put(key.rawValue | StatementPacker.otherForm)
            end.storeBytes(of: seconds.littleEndian, as: UInt32.self)
            end += 4
        } else {
            put(key.rawValue, UInt64(bitPattern: time.milliseconds))
        }
    }

    @inline(__always)
    mutating func write(_ key: Key, _ value: Int64?) {
        if let value { put(key.rawValue, UInt64(bitPattern: value)) }
    }

    @inline(__always)
    mutating func write(_ key: Key, _ flag: Bool?) {
        if let flag { put(flag ? key.rawValue | StatementPacker.otherForm : key.rawValue) }
    }

    @inline(__always)
    mutating func write(_ key: Key, _ currency: Currency?) {
        guard let currency else { return }
        put(key.rawValue)
        end.storeBytes(of: currency.rawValue.littleEndian, as: UInt32.self)
        end += 3
    }

    @inline(__always)
    mutating func write<Word: ClosedList>(_ key: Key, _ word: Word?) {
        if let word { put(key.rawValue, UInt64(Word.pack(word))) }
    }

    @inline(__always)
    private mutating func put(_ byte: UInt8, _ number: UInt64) {
        put(byte)
        ShortNumber.write(number, to: &end)
    }

    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        end.storeBytes(of: byte, as: UInt8.self)
        end += 1
    }

    /// Packs a text as it stands in the line: a UUID at its beginning in 16 bytes, then the rest.
    private mutating func putText(_ key: Key) {
        let token = tokens[Int(key.rawValue)]
        var text = UnsafeRawBufferPointer(start: line + token.start + 1, count: token.count - 2)
        let uuid = UnsafeRawBufferPointer(rebasing: text.prefix(PackedName.uuidCount))
        if let (high, low) = PackedName.uuid(uuid) {
            put(key.rawValue | StatementPacker.otherForm)
            end.storeBytes(of: high, as: UInt64.self)
            end.storeBytes(of: low, toByteOffset: 8, as: UInt64.self)
            end += 16
            text = UnsafeRawBufferPointer(rebasing: text.dropFirst(PackedName.uuidCount))
        } else {
            put(key.rawValue)
        }
        ShortNumber.write(UInt64(text.count), to: &end)
        if let start = text.baseAddress { end.copyMemory(from: start, byteCount: text.count) }
        end += text.count
    }
}

extension EventType {
    static let byName = allCases.sorted { $0.wireName < $1.wireName }
}
