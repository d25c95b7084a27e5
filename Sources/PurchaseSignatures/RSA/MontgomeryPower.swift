/// Computes powers modulo a large odd number, with words lowest first (Montgomery).
package struct MontgomeryPower {
    private let modulus: [UInt64]
    /// Minus the inverse of the modulus, modulo 2⁶⁴.
    private let inverse: UInt64

    /// A base to the power of an exponent, all big-endian; `nil` if the modulus is even or has
    /// leading zeros, or if the base isn't below it.
    package static func raise(
        _ base: [UInt8], to exponent: [UInt8], modulo modulus: [UInt8]
    ) -> [UInt8]? {
        guard let first = modulus.first, first != 0, modulus[modulus.count - 1] & 1 == 1,
            base.count == modulus.count, base.lexicographicallyPrecedes(modulus)
        else { return nil }
        let power = MontgomeryPower(words(of: modulus))
        let raised = power.raise(words(of: base), to: exponent)
        let bytes = raised.reversed().flatMap { word in
            withUnsafeBytes(of: word.bigEndian) { Array($0) }
        }
        return Array(bytes.suffix(modulus.count))
    }

    private static func words(of bytes: [UInt8]) -> [UInt64] {
        WordArithmetic.words(bigEndian: bytes[...], count: (bytes.count + 7) / 8)
    }

    private init(_ modulus: [UInt64]) {
        self.modulus = modulus
        // The lowest 3 bits of the inverse are right; each Newton step doubles their number.
        var inverse = modulus[0]
        for _ in 0..<5 { inverse = inverse &* (2 &- modulus[0] &* inverse) }
        self.inverse = 0 &- inverse
    }

    private func raise(_ base: [UInt64], to exponent: [UInt8]) -> [UInt64] {
        let base = product(base, radixSquared)
        var result = radix
        for byte in exponent {
            for bit in stride(from: 7, through: 0, by: -1) {
                result = product(result, result)
                if byte >> UInt8(bit) & 1 == 1 { result = product(result, base) }
            }
        }
        var one = [UInt64](repeating: 0, count: modulus.count)
        one[0] = 1
        return product(result, one)
    }

    /// 2 to the power of the width of the words, modulo the modulus.
    private var radix: [UInt64] {
        let count = modulus.count
        let top = 63 - modulus[count - 1].leadingZeroBitCount
        var power = [UInt64](repeating: 0, count: count)
        power[count - 1] = 1 << UInt64(top)
        // The power is below the modulus, which is odd and so can't equal the power.
        for _ in top..<64 { power = doubled(power) }
        return power
    }

    /// The square of ``radix``, computed by doubling and squaring along the bits of the width.
    private var radixSquared: [UInt64] {
        let width = modulus.count * 64
        var power = radix
        for bit in stride(from: Int.bitWidth - 1 - width.leadingZeroBitCount, through: 0, by: -1) {
            power = product(power, power)
            if width >> bit & 1 == 1 { power = doubled(power) }
        }
        return power
    }

    private func doubled(_ number: [UInt64]) -> [UInt64] {
        var (doubled, carry) = (number, UInt64(0))
        for index in number.indices {
            doubled[index] = number[index] << 1 | carry
            carry = number[index] >> 63
        }
        return reduced(doubled, carry)
    }

    private func reduced(_ number: [UInt64], _ carry: UInt64) -> [UInt64] {
        var (difference, borrow) = (number, UInt64(0))
        for index in number.indices {
            WordArithmetic.subtract(&difference[index], modulus[index], &borrow)
        }
        return carry == 0 && borrow == 1 ? number : difference
    }

    /// The product divided by ``radix``, modulo the modulus.
    private func product(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        let count = modulus.count
        // Each row adds a word times a number, adds the multiple of the modulus that makes the
        // lowest word zero, and drops that word.
        var (sum, top) = ([UInt64](repeating: 0, count: count + 1), UInt64(0))
        for factor in left {
            var carry = UInt64(0)
            for index in 0..<count {
                WordArithmetic.addProduct(&sum[index], factor, right[index], &carry)
            }
            WordArithmetic.add(&sum[count], carry, &top)
            let multiple = sum[0] &* inverse
            var (lowest, out) = (sum[0], UInt64(0))
            WordArithmetic.addProduct(&lowest, multiple, modulus[0], &out)
            for index in 1..<count {
                var word = sum[index]
                WordArithmetic.addProduct(&word, multiple, modulus[index], &out)
                sum[index - 1] = word
            }
            var (word, over) = (sum[count], UInt64(0))
            WordArithmetic.add(&word, out, &over)
            sum[count - 1] = word
            sum[count] = top + over
            top = 0
        }
        return reduced(Array(sum[..<count]), sum[count])
    }
}
