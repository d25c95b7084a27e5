/// The accounts and devices of the last lines, as they stood there side by side: lines near each
/// other mostly are of a few accounts, each on one device.
///
/// They belong to one reader at a time, which deallocates them.
struct RecentRecorders {
    /// The bytes of a line from the quote before its account to the quote behind its device.
    struct Text {
        let start: UnsafeRawPointer
        let count: Int
        /// How many bytes the account's value has, and how many are before the device's.
        let accountCount: Int, deviceStart: Int
    }

    private struct Recorder {
        var count = 0, accountCount = 0, deviceStart = 0
        var account = Handle(rawValue: 0), device = Handle(rawValue: 0)
    }

    /// Shorter and longer texts are rare.
    private static let fewest = 32, most = 128
    private static let count = 32

    private let recorders: UnsafeMutablePointer<Recorder>
    /// Their texts, ``most`` bytes each.
    private let texts: UnsafeMutableRawPointer

    init() {
        recorders = .allocate(capacity: RecentRecorders.count)
        recorders.initialize(repeating: Recorder(), count: RecentRecorders.count)
        texts = .allocate(
            byteCount: RecentRecorders.count * RecentRecorders.most, alignment: 64)
    }

    func deallocate() {
        recorders.deallocate()
        texts.deallocate()
    }

    /// The names of a text, where a line before has it and none with another one took its place.
    @inline(__always)
    func names(of text: Text) -> (account: Handle, device: Handle)? {
        guard text.count >= RecentRecorders.fewest else { return nil }
        let place = RecentRecorders.place(of: text)
        let recorder = recorders + place
        guard text.count == recorder.pointee.count,
            text.accountCount == recorder.pointee.accountCount,
            text.deviceStart == recorder.pointee.deviceStart
        else { return nil }
        // The first 32 bytes and the last, and what lies between only where there are more.
        let known = texts + place &* RecentRecorders.most
        let last = text.count &- 16
        var difference =
            RecentRecorders.difference(text.start, known, 0)
            | RecentRecorders.difference(text.start, known, 16)
            | RecentRecorders.difference(text.start, known, last &- 16)
            | RecentRecorders.difference(text.start, known, last)
        if text.count > 64 { difference |= RecentRecorders.middleDifference(text, known) }
        guard difference[0] | difference[1] == 0 else { return nil }
        return (recorder.pointee.account, recorder.pointee.device)
    }

    /// Takes in whose text it is.
    func keep(_ text: Text, _ account: Handle, _ device: Handle) {
        guard text.count >= RecentRecorders.fewest, text.count <= RecentRecorders.most else {
            return
        }
        let place = RecentRecorders.place(of: text)
        (texts + place * RecentRecorders.most).copyMemory(
            from: text.start, byteCount: text.count)
        recorders[place] = Recorder(
            count: text.count, accountCount: text.accountCount, deviceStart: text.deviceStart,
            account: account, device: device)
    }

    /// Where a text is kept, by its first eight bytes and its last.
    @inline(__always)
    private static func place(of text: Text) -> Int {
        let last = text.start.word(at: text.count &- 8)
        let spread =
            (text.start.word(at: 0) ^ last &* 0xD6E8_FEB8_6659_FD93) &* 0x9E37_79B9_7F4A_7C15
        return Int(spread &>> 59)
    }

    @inline(__always)
    private static func difference(
        _ text: UnsafeRawPointer, _ known: UnsafeRawPointer, _ offset: Int
    ) -> SIMD2<UInt64> {
        text.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
            ^ known.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
    }

    @inline(never)
    private static func middleDifference(
        _ text: Text, _ known: UnsafeRawPointer
    ) -> SIMD2<UInt64> {
        stride(from: 32, to: text.count - 32, by: 16).reduce(into: SIMD2(0, 0)) {
            $0 |= difference(text.start, known, $1)
        }
    }
}
