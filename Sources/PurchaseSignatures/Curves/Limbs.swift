/// A number with a fixed count of 64-bit words, with the operations that curve arithmetic needs.
package protocol Limbs: Hashable, Sendable {
    static var bitWidth: Int { get }
    init(small: UInt64)
    /// Creates a number from words, lowest first.
    init(words: [UInt64])
    /// The words, lowest first.
    var words: [UInt64] { get }
    var w0: UInt64 { get }
    var isZero: Bool { get }
    /// The sum, with a carry of 1 on overflow.
    func adding(_ other: Self) -> (sum: Self, carry: UInt64)
    /// The difference, with a borrow of 1 if negative.
    func subtracting(_ other: Self) -> (difference: Self, borrow: UInt64)
    /// Half the number, rounded down.
    var halved: Self { get }
    /// The product divided by 2 to the power of the bit width, modulo a modulus (Montgomery); with
    /// its carry, below twice the modulus. `inverse` is minus that of the modulus, modulo 2⁶⁴.
    func montgomeryProduct(
        _ other: Self, _ modulus: Self, _ inverse: UInt64
    ) -> (product: Self, carry: UInt64)
}

extension Limbs {
    package static var byteCount: Int { bitWidth / 8 }

    /// Creates a number from big-endian bytes; returns `nil` for too many bytes.
    package init?(bigEndian bytes: ArraySlice<UInt8>) {
        guard bytes.count <= Self.byteCount else { return nil }
        self.init(words: WordArithmetic.words(bigEndian: bytes, count: Self.byteCount / 8))
    }

    package var bytes: [UInt8] {
        words.reversed().flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }

    @inline(__always)
    package func isBelow(_ other: Self) -> Bool { subtracting(other).borrow == 1 }
}

/// Arithmetic of single words with a carry.
enum WordArithmetic {
    /// The words of big-endian bytes, lowest first.
    static func words(bigEndian bytes: ArraySlice<UInt8>, count: Int) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: count)
        for (index, byte) in bytes.reversed().enumerated() {
            words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
        }
        return words
    }

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

    /// Adds a product of two words and a carry without overflow; the high word becomes the carry.
    @inline(__always)
    static func addProduct(
        _ word: inout UInt64, _ left: UInt64, _ right: UInt64, _ carry: inout UInt64
    ) {
        // Optimized code multiplies in one machine instruction. Debug code avoids generic
        // conversions, which makes tests ten times as fast.
        let (high, low) = left.multipliedFullWidth(by: right)
        let wide =
            UInt128(_low: low, _high: high) &+ UInt128(_low: word, _high: 0)
            &+ UInt128(_low: carry, _high: 0)
        word = wide._low
        carry = wide._high
    }
}
