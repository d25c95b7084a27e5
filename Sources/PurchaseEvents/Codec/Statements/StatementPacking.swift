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
    private let times = TimeCache()
    /// More than the number of any key.
    static let start = Key.room - 1

    package init() {
        following = .allocate(capacity: StatementPacker.start + 1)
        following.initialize(repeating: .account, count: StatementPacker.start + 1)
    }

    deinit {
        following.deallocate()
        times.deallocate()
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
            text: line, count: 0, names: names, following: following, times: times,
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
            text: base, count: text.count, names: names, following: following, times: times,
            end: UnsafeMutableRawPointer(place))
        packing.pack()
        return packing.end - UnsafeMutableRawPointer(place)
    }
}
