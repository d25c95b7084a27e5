/// Writes numbers with few nonzero digits, each odd and of either sign (wNAF): one digit per bit,
/// at most one of them nonzero in each window of bits.
enum SignedDigits {
    /// The window size for the generator, whose multiples are computed once.
    static let generatorWindow = 8
    /// The window size for another point, whose multiples are computed for each verification.
    static let pointWindow = 5

    static func count(_ window: Int) -> Int { 1 << (window - 2) }

    /// Writes the digits, lowest first; there must be room for one more than the number has bits.
    static func write<Value: Limbs>(
        _ number: Value, window: Int, to digits: UnsafeMutableBufferPointer<Int16>
    ) {
        var rest = number
        let (span, half) = (UInt64(1) << UInt64(window), UInt64(1) << UInt64(window - 1))
        for index in digits.indices {
            guard rest.w0 & 1 == 1 else {
                digits[index] = 0
                rest = rest.halved
                continue
            }
            let low = rest.w0 & (span - 1)
            if low < half {
                digits[index] = Int16(low)
                rest = rest.subtracting(Value(small: low)).difference
            } else {
                digits[index] = -Int16(span - low)
                rest = rest.adding(Value(small: span - low)).sum
            }
            rest = rest.halved
        }
    }
}
