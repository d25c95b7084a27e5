/// A number of 384 bits, lowest word first.
package struct Limbs6: Limbs {
    package var w0: UInt64
    package var w1: UInt64
    package var w2: UInt64
    package var w3: UInt64
    package var w4: UInt64
    package var w5: UInt64

    package static let bitWidth = 384

    @inline(__always)
    package init(_ w0: UInt64, _ w1: UInt64, _ w2: UInt64, _ w3: UInt64, _ w4: UInt64, _ w5: UInt64)
    {
        (self.w0, self.w1) = (w0, w1)
        (self.w2, self.w3) = (w2, w3)
        (self.w4, self.w5) = (w4, w5)
    }

    @inline(__always)
    package init(small: UInt64) { self.init(small, 0, 0, 0, 0, 0) }

    package init(words: [UInt64]) {
        precondition(words.count == 6, "one word for each limb")
        self.init(words[0], words[1], words[2], words[3], words[4], words[5])
    }

    package var words: [UInt64] { [w0, w1, w2, w3, w4, w5] }

    package var isZero: Bool { w0 | w1 | w2 | w3 | w4 | w5 == 0 }

    @inline(__always)
    package func adding(_ other: Limbs6) -> (sum: Limbs6, carry: UInt64) {
        var (sum, carry) = (self, UInt64(0))
        WordArithmetic.add(&sum.w0, other.w0, &carry)
        WordArithmetic.add(&sum.w1, other.w1, &carry)
        WordArithmetic.add(&sum.w2, other.w2, &carry)
        WordArithmetic.add(&sum.w3, other.w3, &carry)
        WordArithmetic.add(&sum.w4, other.w4, &carry)
        WordArithmetic.add(&sum.w5, other.w5, &carry)
        return (sum, carry)
    }

    @inline(__always)
    package func subtracting(_ other: Limbs6) -> (difference: Limbs6, borrow: UInt64) {
        var (difference, borrow) = (self, UInt64(0))
        WordArithmetic.subtract(&difference.w0, other.w0, &borrow)
        WordArithmetic.subtract(&difference.w1, other.w1, &borrow)
        WordArithmetic.subtract(&difference.w2, other.w2, &borrow)
        WordArithmetic.subtract(&difference.w3, other.w3, &borrow)
        WordArithmetic.subtract(&difference.w4, other.w4, &borrow)
        WordArithmetic.subtract(&difference.w5, other.w5, &borrow)
        return (difference, borrow)
    }

    @inline(__always)
    package var halved: Limbs6 {
        Limbs6(
            w0 &>> 1 | w1 &<< 63, w1 &>> 1 | w2 &<< 63, w2 &>> 1 | w3 &<< 63, w3 &>> 1 | w4 &<< 63,
            w4 &>> 1 | w5 &<< 63, w5 &>> 1)
    }

    @inline(__always)
    package func montgomeryProduct(
        _ other: Limbs6, _ modulus: Limbs6, _ inverse: UInt64
    ) -> (product: Limbs6, carry: UInt64) {
        var (sum, carry) = (Limbs6(small: 0), UInt64(0))
        sum.step(w0, other, modulus, inverse, &carry)
        sum.step(w1, other, modulus, inverse, &carry)
        sum.step(w2, other, modulus, inverse, &carry)
        sum.step(w3, other, modulus, inverse, &carry)
        sum.step(w4, other, modulus, inverse, &carry)
        sum.step(w5, other, modulus, inverse, &carry)
        return (sum, carry)
    }

    /// Adds a word times a number, adds the multiple of the modulus that makes the lowest word
    /// zero, and drops that word.
    @inline(__always)
    private mutating func step(
        _ factor: UInt64, _ other: Limbs6, _ modulus: Limbs6, _ inverse: UInt64,
        _ carry: inout UInt64
    ) {
        var (high, top) = (addProduct(factor, other), UInt64(0))
        WordArithmetic.add(&high, carry, &top)
        var highest = addProduct(w0 &* inverse, modulus)
        carry = 0
        WordArithmetic.add(&highest, high, &carry)
        carry &+= top
        (w0, w1) = (w1, w2)
        (w2, w3) = (w3, w4)
        (w4, w5) = (w5, highest)
    }

    @inline(__always)
    private mutating func addProduct(_ factor: UInt64, _ other: Limbs6) -> UInt64 {
        var carry = UInt64(0)
        WordArithmetic.addProduct(&w0, factor, other.w0, &carry)
        WordArithmetic.addProduct(&w1, factor, other.w1, &carry)
        WordArithmetic.addProduct(&w2, factor, other.w2, &carry)
        WordArithmetic.addProduct(&w3, factor, other.w3, &carry)
        WordArithmetic.addProduct(&w4, factor, other.w4, &carry)
        WordArithmetic.addProduct(&w5, factor, other.w5, &carry)
        return carry
    }
}
