import Testing

@testable import PurchaseEvents

struct ShortNumberTests {
    @Test func `a number takes a byte for each seven bits, and comes back as it was`() {
        let powers: [UInt64] = (0...63).map { 1 << $0 }
        let edges: [UInt64] = powers + powers.map { $0 - 1 } + [.max]
        for number in edges {
            withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { place in
                guard let base = place.baseAddress else { return }
                var (end, start) = (base, UnsafeRawPointer(base))
                ShortNumber.write(number, to: &end)
                #expect(ShortNumber.read(at: &start) == number)
                #expect(start == UnsafeRawPointer(end))
                #expect(end - base == ShortNumber.length(of: number))
                let bits: Int = UInt64.bitWidth - number.leadingZeroBitCount
                #expect(end - base == max(1, (bits + 6) / 7))
            }
        }
    }
}
