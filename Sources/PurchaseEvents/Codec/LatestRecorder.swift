/// The account and the device of the line before, as they stood there side by side: lines in a row
/// mostly are of one account on one device.
///
/// It belongs to one reader at a time, who deallocates it.
struct LatestRecorder: @unchecked Sendable {
    /// The bytes of a line from the quote before its account to the quote behind its device.
    struct Text {
        let start: UnsafeRawPointer
        let count: Int
        /// How many bytes the account's value has, and how many are before the device's.
        let accountCount: Int, deviceStart: Int
    }

    private struct State {
        var count = 0, accountCount = 0, deviceStart = 0
        var account = Handle(rawValue: 0), device = Handle(rawValue: 0)
    }

    /// Shorter and longer texts are rare.
    private static let fewest = 32, most = 256

    private let state: UnsafeMutablePointer<State>
    private let bytes: UnsafeMutableRawPointer

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
        bytes = .allocate(byteCount: LatestRecorder.most, alignment: 16)
    }

    func deallocate() {
        state.deallocate()
        bytes.deallocate()
    }

    /// The names of the text, where it is that of the line before.
    @inline(__always)
    func names(of text: Text) -> (account: Handle, device: Handle)? {
        guard text.count == state.pointee.count,
            text.accountCount == state.pointee.accountCount,
            text.deviceStart == state.pointee.deviceStart
        else { return nil }
        // The first 32 bytes and the last, and what lies between only where there are more.
        let last = text.count &- 16
        var difference =
            self.difference(text, 0) | self.difference(text, 16)
            | self.difference(text, last &- 16) | self.difference(text, last)
        if text.count > 64 { difference |= middleDifference(text) }
        guard difference[0] | difference[1] == 0 else { return nil }
        return (state.pointee.account, state.pointee.device)
    }

    @inline(never)
    private func middleDifference(_ text: Text) -> SIMD2<UInt64> {
        stride(from: 32, to: text.count - 32, by: 16).reduce(into: SIMD2(0, 0)) {
            $0 |= difference(text, $1)
        }
    }

    @inline(__always)
    private func difference(_ text: Text, _ offset: Int) -> SIMD2<UInt64> {
        text.start.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
            ^ bytes.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
    }

    /// Takes in whose text it is, for the next line.
    func keep(_ text: Text, _ account: Handle, _ device: Handle) {
        guard text.count >= LatestRecorder.fewest, text.count <= LatestRecorder.most else { return }
        bytes.copyMemory(from: text.start, byteCount: text.count)
        state.pointee = State(
            count: text.count, accountCount: text.accountCount, deviceStart: text.deviceStart,
            account: account, device: device)
    }
}
