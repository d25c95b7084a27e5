/// The names of one role that were met last, with their numbers: each has one place where it may
/// be, by its last bytes, and the one that came later has it.
///
/// They belong to one reader at a time, which deallocates them.
struct RecentNames {
    private struct Name {
        var number: UInt32 = 0
        var count: UInt32 = 0
    }

    /// As many bytes as the names of most roles have: a UUID's 36, in whole words.
    private static let most = 40
    private static let count = 32

    private let names: UnsafeMutablePointer<Name>
    /// Their bytes, room for ``most`` each.
    private let texts: UnsafeMutableRawPointer

    init() {
        names = .allocate(capacity: RecentNames.count)
        names.initialize(repeating: Name(), count: RecentNames.count)
        texts = .allocate(byteCount: RecentNames.count * RecentNames.most, alignment: 8)
    }

    func deallocate() {
        names.deallocate()
        texts.deallocate()
    }

    /// The place where a name may be.
    @inline(__always)
    func place(of name: UnsafeRawBufferPointer) -> Int {
        let last = name.paddedWord(at: max(0, name.count &- 8))
        return Int((last &* 0x9E37_79B9_7F4A_7C15) &>> 59)
    }

    /// The number of a name at its place; `nil` where another one is.
    @inline(__always)
    func number(of name: UnsafeRawBufferPointer, at place: Int) -> UInt32? {
        let known = UnsafeRawBufferPointer(
            start: texts + place &* RecentNames.most, count: Int(names[place].count))
        return NameIndex.areEqual(known, name) ? names[place].number : nil
    }

    /// Puts a name at its place, where it isn't too long.
    @inline(__always)
    func keep(_ name: UnsafeRawBufferPointer, _ number: UInt32, at place: Int) {
        guard let start = name.baseAddress, name.count <= RecentNames.most else { return }
        (texts + place &* RecentNames.most).copyMemory(from: start, byteCount: name.count)
        names[place] = Name(number: number, count: UInt32(truncatingIfNeeded: name.count))
    }
}
