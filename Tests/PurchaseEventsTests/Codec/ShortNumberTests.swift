import Testing

@testable import PurchaseEvents

@Suite struct ShortNumberTests {
    @Test func `a number takes one byte per seven bits and is restored unchanged`() {
        let edges = (0...63).flatMap { [UInt64(1) << $0, (UInt64(1) << $0) - 1] } + [.max]
        for number in edges {
            withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { place in
                guard let base = place.baseAddress else { return }
                var (end, start) = (base, UnsafeRawPointer(base))
                ShortNumber.write(number, to: &end)
                #expect(ShortNumber.read(at: &start) == number)
                #expect(start == UnsafeRawPointer(end))
                #expect(end - base == ShortNumber.length(of: number))
                #expect(end - base == (1...10).first { number >> UInt64(7 * $0) == 0 })
            }
        }
    }
}
