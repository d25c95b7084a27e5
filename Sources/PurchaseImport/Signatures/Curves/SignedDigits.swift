/// Numbers written with few digits that aren't zero, each odd and of either sign (wNAF): one digit a
/// bit, and of each window of bits one at most that isn't zero.
enum SignedDigits {
    /// The window for the generator, whose multiples are computed once.
    static let generatorWindow = 8
    /// The window for another point, whose multiples are computed for each verification.
    static let pointWindow = 5

    /// How many odd multiples a window needs.
    static func count(_ window: Int) -> Int { 1 << (window - 2) }

    /// Writes the digits of a number, the lowest first.
    ///
    /// - Precondition: the number leaves room at the top for the window, as the order of a curve
    ///   does; there is one place more than it has bits.
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
