/// The modulus of a field: an odd prime with its top bit set.
package protocol Modulus: Sendable {
    associatedtype Value: Limbs
    static var modulus: Value { get }
    /// Minus the inverse of the modulus, modulo 2⁶⁴.
    static var inverse: UInt64 { get }
    /// The square of 2 to the power of the bit width, modulo the modulus.
    static var radixSquared: Value { get }
}

/// A number modulo a prime, stored as its product with 2 to the power of the bit width
/// (Montgomery).
package struct Residue<M: Modulus>: Hashable, Sendable {
    private var limbs: M.Value

    @inline(__always)
    private init(limbs: M.Value) { self.limbs = limbs }

    package static var zero: Self { Self(limbs: M.Value(small: 0)) }
    package static var one: Self { Self(M.Value(small: 1)) }

    /// Creates a residue from a number below twice the modulus.
    package init(_ value: M.Value) {
        limbs = Self.reduced(value, 0)
        limbs = Self.product(limbs, M.radixSquared)
    }

    /// The number, below the modulus.
    package var value: M.Value { Self.product(limbs, M.Value(small: 1)) }

    package var isZero: Bool { limbs.isZero }

    @inline(__always)
    private static func reduced(_ value: M.Value, _ carry: UInt64) -> M.Value {
        let (difference, borrow) = value.subtracting(M.modulus)
        return carry == 0 && borrow == 1 ? value : difference
    }

    @inline(__always)
    private static func product(_ left: M.Value, _ right: M.Value) -> M.Value {
        let (product, carry) = left.montgomeryProduct(right, M.modulus, M.inverse)
        return reduced(product, carry)
    }

    @inline(__always)
    package static func + (left: Self, right: Self) -> Self {
        let (sum, carry) = left.limbs.adding(right.limbs)
        return Self(limbs: reduced(sum, carry))
    }

    @inline(__always)
    package static func - (left: Self, right: Self) -> Self {
        let (difference, borrow) = left.limbs.subtracting(right.limbs)
        return Self(limbs: borrow == 0 ? difference : difference.adding(M.modulus).sum)
    }

    package static func * (left: Self, right: Self) -> Self {
        Self(limbs: product(left.limbs, right.limbs))
    }

    package var squared: Self { self * self }

    @inline(__always)
    package var doubled: Self { self + self }

    @inline(__always)
    package var negated: Self { Self.zero - self }

    /// The inverse, by Fermat's theorem with four bits of the exponent at a time; zero for zero.
    package var inverse: Self {
        let exponent = M.modulus.subtracting(M.Value(small: 2)).difference.words
        var powers = [Self.one]
        for index in 0..<15 { powers.append(powers[index] * self) }
        var result = Self.one
        for word in exponent.reversed() {
            for shift in stride(from: 60, through: 0, by: -4) {
                result = result.squared.squared.squared.squared
                let digit = Int(truncatingIfNeeded: word >> UInt64(shift) & 15)
                if digit != 0 { result = result * powers[digit] }
            }
        }
        return result
    }
}
