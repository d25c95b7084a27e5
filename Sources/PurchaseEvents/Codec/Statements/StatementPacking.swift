/// A compact form of a statement's canonical bytes.
///
/// A fold keeps the bytes of every purchase to break ties between versions, and hardly ever reads
/// them.
///
/// A key takes one or two bytes, and a name, a UUID, a date or a number takes 1 to 16; these make
/// up most of a statement, and the rest is verbatim. Control characters and bytes above ASCII stand
/// for keys, because canonical bytes contain few or none of these. With the same names, equal bytes
/// pack equally, and different bytes differently.
package enum StatementPacking {
    /// Precedes a verbatim byte that would otherwise have a meaning.
    static let escape: UInt8 = 0
    /// Precedes a key's number; both stand for `,"key":` and the form of the value.
    ///
    /// The byte is this value plus twice the number of the ``StatementForm``, plus 1 if a quote
    /// ends the previous value.
    static let keyBase: UInt8 = 1
    /// Added to the number of a key whose value has the usual form; the previous value's form tells
    /// whether a quote comes first.
    static let usualKey: UInt8 = 0x80
    /// The first byte that stands for itself; bytes from ``usualKey`` on don't.
    static let firstPlain: UInt8 = 0x20

    static let quote = UInt8(ascii: "\""), comma = UInt8(ascii: ",")

    /// Restores the text of packed bytes, with the name table used to pack them.
    package static func unpack(_ packed: UnsafeRawBufferPointer, _ names: NameTable) -> [UInt8] {
        var unpacker = StatementUnpacker(packed: packed, names: names)
        unpacker.unpack()
        return unpacker.text
    }
}

/// Packs statements (``StatementPacking``).
///
/// A packer remembers which key followed which, since the next statement mostly has the same keys.
package final class StatementPacker {
    /// The key that last followed each key, by that key's number; at ``start``, the first key.
    private let following: UnsafeMutablePointer<Key>
    private let times = TimeCache()
    /// An index above the number of any key.
    static let start = Key.room - 1

    package init() {
        following = .allocate(capacity: StatementPacker.start + 1)
        following.initialize(repeating: .account, count: StatementPacker.start + 1)
    }

    deinit {
        following.deallocate()
        times.deallocate()
    }

    /// The size in bytes that the destination for a text of `count` bytes needs.
    package static func room(for count: Int) -> Int { count * 2 + 17 }

    /// Packs a statement of a type, from the quote before `type` on, and returns the number of
    /// bytes written.
    ///
    /// The statement doesn't include the closing brace. The destination must have the size that
    /// ``room(for:)`` gives.
    ///
    /// The packed bytes begin with the rank of the type's name among all type names, so the first
    /// byte alone sorts statements of different types in the order of their text.
    package func pack(
        _ statement: UnsafeRawBufferPointer, of type: EventType, _ names: StatementNames,
        to place: UnsafeMutablePointer<UInt8>
    ) -> Int {
        let name = type.wireName.utf8.count + #""type":"""#.utf8.count
        let rest = UnsafeRawBufferPointer(rebasing: statement.dropFirst(name))
        place.initialize(to: StatementPacker.ranks[Int(type.rawValue)])
        return 1 + pack(rest, names, to: place + 1)
    }

    /// Packs the statement of a plain line whose keys are in order, like ``pack(_:of:_:to:)``.
    ///
    /// The names must be those of the line's event. Takes time in proportion to the number of keys
    /// and of verbatim bytes.
    func pack(
        _ line: UnsafeRawPointer, _ tokens: UnsafePointer<Token>, _ present: KeySet,
        of type: EventType, _ names: StatementNames, to place: UnsafeMutablePointer<UInt8>
    ) -> Int {
        place.initialize(to: StatementPacker.ranks[Int(type.rawValue)])
        var packing = Packing(
            text: line, count: 0, names: names, following: following, times: times,
            end: UnsafeMutableRawPointer(place + 1))
        // The rest begins with the comma after the type, and no quote is left to write.
        var quotes = 0
        for key in StatementPacker.keys[Int(type.rawValue)] where present.contains(key) {
            quotes = packing.pack(key, tokens[Int(key.rawValue)], after: quotes)
        }
        if quotes == 1 { packing.put(StatementPacking.quote) }
        return packing.end - UnsafeMutableRawPointer(place)
    }

    /// The keys of each type's statement after `type`, in canonical order.
    private static let keys: [[Key]] = EventType.allCases.map { type in
        type.canonicalFields.map(\.key).filter { ![.seq, .at, .type, .chain].contains($0) }
    }

    private static let ranks: [UInt8] = {
        let sorted = EventType.allCases.sorted { $0.wireName < $1.wireName }
        return EventType.allCases.map { UInt8(sorted.firstIndex(of: $0) ?? 0) }
    }()

    /// Packs a text and returns the number of bytes written.
    ///
    /// Accepts any bytes, in one pass. The destination must have the size that ``room(for:)``
    /// gives.
    package func pack(
        _ text: UnsafeRawBufferPointer, _ names: StatementNames,
        to place: UnsafeMutablePointer<UInt8>
    ) -> Int {
        guard let base = text.baseAddress else { return 0 }
        var packing = Packing(
            text: base, count: text.count, names: names, following: following, times: times,
            end: UnsafeMutableRawPointer(place))
        packing.pack()
        return packing.end - UnsafeMutableRawPointer(place)
    }
}
