extension Fact where S == Interned {
    /// The value of a key of the fact as a number, or `nil`: the handle of a name, a word's
    /// position in its list, an integer, a packed currency code, a time in milliseconds, 0 or 1 for
    /// a flag, or the place of a text in its line.
    @inline(never)
    package func value(of key: Key) -> Int64? {
        var finder = ValueFinder(key: key)
        // A finder accepts every field, so nothing throws.
        try? write(to: &finder)
        return finder.value
    }
}

private struct ValueFinder: FieldWriter {
    typealias S = Interned

    let key: Key
    private(set) var value: Int64?

    @inline(__always)
    mutating func write<Role>(_ key: Key, _ name: Identifier<Role, Interned>?) {
        keep(key) { name.map { Int64($0.name.rawValue) } }
    }

    @inline(__always)
    mutating func write(_ key: Key, _ text: TextSpan?) {
        keep(key) { text.map { Int64($0.start) << 32 | Int64($0.count) } }
    }

    @inline(__always)
    mutating func write(_ key: Key, _ time: Timestamp?) { keep(key) { time?.milliseconds } }

    @inline(__always)
    mutating func write(_ key: Key, _ value: Int64?) { keep(key) { value } }

    @inline(__always)
    mutating func write(_ key: Key, _ flag: Bool?) { keep(key) { flag.map { $0 ? 1 : 0 } } }

    @inline(__always)
    mutating func write(_ key: Key, _ currency: Currency?) {
        keep(key) { currency.map { Int64(Currency.pack($0)) } }
    }

    @inline(__always)
    mutating func write<Word: ClosedList>(_ key: Key, _ word: Word?) {
        keep(key) { word.map { Int64(Word.pack($0)) } }
    }

    @inline(__always)
    private mutating func keep(_ key: Key, _ number: () -> Int64?) {
        if key == self.key { value = number() }
    }
}
