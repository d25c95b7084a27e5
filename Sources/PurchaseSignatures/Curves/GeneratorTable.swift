/// The multiples of a curve's generator by every digit of four bits at every place.
///
/// A product with the generator adds one multiple for each digit, and never doubles. The table of
/// P-256 takes 61 KB, the table of P-384 138 KB; each is computed once, at its first use.
package struct GeneratorTable<C: Curve>: Sendable {
    /// For each place, lowest first, the multiples by 1 to 15.
    private let multiples: [AffinePoint<C>]

    init() {
        var multiples: [JacobianPoint<C>] = []
        var unit = JacobianPoint(AffinePoint<C>.generator)
        for _ in 0..<C.Prime.Value.bitWidth / 4 {
            var multiple = unit
            for _ in 1...15 {
                multiples.append(multiple)
                multiple = multiple.adding(unit)
            }
            unit = multiple
        }
        self.multiples = AffinePoint.all(multiples)
    }

    func product(_ number: C.Prime.Value) -> JacobianPoint<C> {
        multiples.withUnsafeBufferPointer { multiples in
            var (sum, place) = (JacobianPoint<C>.infinity, 0)
            for word in number.words {
                for shift in stride(from: UInt64(0), to: 64, by: 4) {
                    let digit = Int(truncatingIfNeeded: word >> shift & 15)
                    if digit > 0 { sum = sum.adding(multiples[place + digit - 1]) }
                    place += 15
                }
            }
            return sum
        }
    }
}
