import Testing

@testable import PurchaseEvents

struct ByteOrderTests {
    private static let texts = [
        "", "a", "b", "ab", "aa", "abcdefgh", "abcdefgi", "abcdefghi", "abcdefg\u{7F}",
        "12345678-90ab", "12345678-90aB", "e\u{301}", "é", "ê", "zzzzzzzz\u{10FFFF}", "zzzzzzzzz",
    ]

    @Test func `texts sort by their bytes, even if they are canonically equal`() {
        for left in Self.texts {
            for right in Self.texts {
                let precedes = Array(left.utf8).withUnsafeBytes { left in
                    Array(right.utf8).withUnsafeBytes { left.precedes($0) }
                }
                #expect(
                    precedes == left.utf8.lexicographicallyPrecedes(right.utf8),
                    "\(left) \(right)")
            }
        }
    }
}
