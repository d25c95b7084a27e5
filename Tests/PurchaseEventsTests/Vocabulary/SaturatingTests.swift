import Testing

@testable import PurchaseEvents

struct SaturatingTests {
    @Test func `a sum saturates at the limits`() {
        #expect(Int64(2).addingSaturating(-3) == -1)
        #expect(Int64.max.addingSaturating(1) == .max)
        #expect(Int64.max.addingSaturating(.max) == .max)
        #expect(Int64.min.addingSaturating(-1) == .min)
        #expect(Int64.min.addingSaturating(.min) == .min)
        #expect(Int64.min.addingSaturating(.max) == -1)
        var count = UInt8.max
        count.addSaturating(1)
        #expect(count == .max)
    }

    @Test func `a difference saturates at the limits`() {
        #expect(Int64(2).subtractingSaturating(3) == -1)
        #expect(Int64.min.subtractingSaturating(1) == .min)
        #expect(Int64.max.subtractingSaturating(-1) == .max)
        #expect(Int64(0).subtractingSaturating(.min) == .max)
        #expect(UInt8(1).subtractingSaturating(2) == 0)
    }
}
