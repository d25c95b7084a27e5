/// A cache of recent names of one role; the last bytes of a name select its only place. Only one
/// reader may use the cache, and deallocates it.
struct RecentNames {
    private struct Name {
        var number: UInt32 = 0
        var count: UInt32 = 0
    }

    /// The maximum length of a cached name in bytes: the 36 of a UUID, rounded up to whole words.
    private static let maximumLength = 40
    private static let count = 32

    private let names: UnsafeMutablePointer<Name>
    /// The bytes of the names, ``maximumLength`` for each.
    private let texts: UnsafeMutableRawPointer

    init() {
        names = .allocate(capacity: RecentNames.count)
        names.initialize(repeating: Name(), count: RecentNames.count)
        texts = .allocate(byteCount: RecentNames.count * RecentNames.maximumLength, alignment: 8)
    }

    func deallocate() {
        names.deallocate()
        texts.deallocate()
    }

    @inline(__always)
    func place(of name: UnsafeRawBufferPointer) -> Int {
        let last = name.paddedWord(at: max(0, name.count &- 8))
        return Int((last &* 0x9E37_79B9_7F4A_7C15) &>> 59)
    }

    /// The number of the name at a place, or `nil` if another name has the place.
    @inline(__always)
    func number(of name: UnsafeRawBufferPointer, at place: Int) -> UInt32? {
        let known = UnsafeRawBufferPointer(
            start: texts + place &* RecentNames.maximumLength, count: Int(names[place].count))
        return NameIndex.areEqual(known, name) ? names[place].number : nil
    }

    @inline(__always)
    func keep(_ name: UnsafeRawBufferPointer, _ number: UInt32, at place: Int) {
        guard let start = name.baseAddress, name.count <= RecentNames.maximumLength else { return }
        (texts + place &* RecentNames.maximumLength).copyMemory(from: start, byteCount: name.count)
        names[place] = Name(number: number, count: UInt32(truncatingIfNeeded: name.count))
    }
}
