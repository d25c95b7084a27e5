/// Verifies ECDSA signatures (FIPS 186-5, 6.4.2), not in constant time: all data is public.
enum ECDSA<C: Curve> {
    typealias Scalar = Residue<C.Order>

    /// Whether a signature, r and s as wide as the curve and big-endian, is valid for a hash.
    static func isValid(_ signature: [UInt8], ofHash hash: [UInt8], under key: [UInt8]) -> Bool {
        let width = C.Prime.Value.byteCount
        guard signature.count == 2 * width,
            let r = C.Prime.Value(bigEndian: signature[..<width]),
            let s = C.Prime.Value(bigEndian: signature[width...]),
            isScalar(r), isScalar(s), let point = AffinePoint<C>(key),
            let number = C.Prime.Value(bigEndian: hash.prefix(width))
        else { return false }
        let inverse = Scalar(s).inverse
        let sum = JacobianPoint<C>.sum(
            generatorTimes: (Scalar(number) * inverse).value, point,
            times: (Scalar(r) * inverse).value)
        guard !sum.isInfinity else { return false }
        // The x of the sum modulo the order must be r, so x is r, or r plus the order if that is
        // below the prime. Both comparisons avoid a division by Z².
        let square = sum.z.squared
        if sum.x == Residue(r) * square { return true }
        let (wrapped, carry) = r.adding(C.Order.modulus)
        return carry == 0 && wrapped.isBelow(C.Prime.modulus) && sum.x == Residue(wrapped) * square
    }

    static func isScalar(_ number: C.Prime.Value) -> Bool {
        !number.isZero && number.isBelow(C.Order.modulus)
    }
}
