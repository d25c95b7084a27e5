/// A number of a fixed count of 64-bit words: a trivial value, with what the arithmetic of a curve
/// needs of one.
package protocol Limbs: Hashable, Sendable {
    /// How many bits there are.
    static var bitWidth: Int { get }
    /// A number of one word.
    init(small: UInt64)
    /// The number of those words, the lowest first.
    init(words: [UInt64])
    /// The words, the lowest first.
    var words: [UInt64] { get }
    /// The lowest word.
    var w0: UInt64 { get }
    /// Whether it is zero.
    var isZero: Bool { get }
    /// The sum, and 1 where it doesn't fit.
    func adding(_ other: Self) -> (sum: Self, carry: UInt64)
    /// The difference, and 1 where it is negative.
    func subtracting(_ other: Self) -> (difference: Self, borrow: UInt64)
    /// Half of it, rounded down.
    var halved: Self { get }
    /// The product divided by 2 to the power of the bit width, modulo a modulus (Montgomery):
    /// below twice the modulus, with the carry out of the words.
    ///
    /// - Parameter inverse: minus the inverse of the modulus, modulo 2⁶⁴.
    func montgomeryProduct(
        _ other: Self, _ modulus: Self, _ inverse: UInt64
    ) -> (product: Self, carry: UInt64)
}

extension Limbs {
    /// How many bytes there are.
    package static var byteCount: Int { bitWidth / 8 }

    /// A big-endian number; `nil` where it has more bytes than fit.
    package init?(bigEndian bytes: ArraySlice<UInt8>) {
        guard bytes.count <= Self.byteCount else { return nil }
        var words = [UInt64](repeating: 0, count: Self.byteCount / 8)
        for (index, byte) in bytes.reversed().enumerated() {
            words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
        }
        self.init(words: words)
    }

    /// The bytes, big-endian, leading zeros too.
    package var bytes: [UInt8] {
        words.reversed().flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }

    /// Whether it is below another.
    @inline(__always)
    package func isBelow(_ other: Self) -> Bool { subtracting(other).borrow == 1 }
}

/// Arithmetic of single words with a carry.
enum Words {
    /// Adds a word and a carry of 0 or 1.
    @inline(__always)
    static func add(_ word: inout UInt64, _ other: UInt64, _ carry: inout UInt64) {
        let (first, one) = word.addingReportingOverflow(other)
        let (second, two) = first.addingReportingOverflow(carry)
        word = second
        carry = (one ? 1 : 0) | (two ? 1 : 0)
    }

    /// Subtracts a word and a borrow of 0 or 1.
    @inline(__always)
    static func subtract(_ word: inout UInt64, _ other: UInt64, _ borrow: inout UInt64) {
        let (first, one) = word.subtractingReportingOverflow(other)
        let (second, two) = first.subtractingReportingOverflow(borrow)
        word = second
        borrow = (one ? 1 : 0) | (two ? 1 : 0)
    }

    /// Adds a product of two words and a carry, which becomes the high word: nothing overflows.
    @inline(__always)
    static func addProduct(
        _ word: inout UInt64, _ left: UInt64, _ right: UInt64, _ carry: inout UInt64
    ) {
        // Of all ways to write this, one machine multiplication where the code is optimized, and no
        // generic conversion where it isn't: tests run ten times as fast.
        let (high, low) = left.multipliedFullWidth(by: right)
        let wide =
            UInt128(_low: low, _high: high) &+ UInt128(_low: word, _high: 0)
            &+ UInt128(_low: carry, _high: 0)
        word = wide._low
        carry = wide._high
    }
}
