/// A cache of the accounts and devices of recent lines, found by one text that contains both:
/// neighbouring lines mostly come from a few accounts, each on one device. Only one reader may use
/// the cache, and deallocates it.
struct RecentRecorders {
    /// The bytes of a line from the opening quote of its account to the closing quote of its
    /// device.
    struct Text {
        let start: UnsafeRawPointer
        let count: Int
        /// The length of the account's value, and the number of bytes before the device's value.
        let accountCount: Int, deviceStart: Int
    }

    private struct Recorder {
        var count = 0, accountCount = 0, deviceStart = 0
        var account = Handle(rawValue: 0), device = Handle(rawValue: 0)
    }

    /// The lengths of cached texts in bytes; other lengths are rare.
    private static let minimumLength = 32, maximumLength = 128
    private static let count = 32

    private let recorders: UnsafeMutablePointer<Recorder>
    /// The bytes of the texts, ``maximumLength`` for each.
    private let texts: UnsafeMutableRawPointer

    init() {
        recorders = .allocate(capacity: RecentRecorders.count)
        recorders.initialize(repeating: Recorder(), count: RecentRecorders.count)
        texts = .allocate(
            byteCount: RecentRecorders.count * RecentRecorders.maximumLength, alignment: 64)
    }

    func deallocate() {
        recorders.deallocate()
        texts.deallocate()
    }

    @inline(__always)
    func names(of text: Text) -> (account: Handle, device: Handle)? {
        guard text.count >= RecentRecorders.minimumLength else { return nil }
        let place = RecentRecorders.place(of: text)
        let recorder = recorders + place
        guard text.count == recorder.pointee.count,
            text.accountCount == recorder.pointee.accountCount,
            text.deviceStart == recorder.pointee.deviceStart
        else { return nil }
        // Compare the first 32 bytes and the last 32, then the bytes between.
        let known = texts + place &* RecentRecorders.maximumLength
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

    func keep(_ text: Text, _ account: Handle, _ device: Handle) {
        guard text.count >= RecentRecorders.minimumLength,
            text.count <= RecentRecorders.maximumLength
        else { return }
        let place = RecentRecorders.place(of: text)
        (texts + place * RecentRecorders.maximumLength).copyMemory(
            from: text.start, byteCount: text.count)
        recorders[place] = Recorder(
            count: text.count, accountCount: text.accountCount, deviceStart: text.deviceStart,
            account: account, device: device)
    }

    /// The place of a text, selected by its first and last eight bytes.
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
    private static func middleDifference(_ text: Text, _ known: UnsafeRawPointer) -> SIMD2<UInt64> {
        stride(from: 32, to: text.count - 32, by: 16).reduce(into: SIMD2(0, 0)) {
            $0 |= difference(text.start, known, $1)
        }
    }
}
