import PurchaseSignatures
import TestSigning
import TestSupport
import Testing

@testable import PurchaseSignatures

/// The arithmetic behind the signatures.
struct CurveTests {
    private func checkConstants<C: Curve>(_ curve: C.Type) {
        for modulus in [C.Prime.modulus, C.Order.modulus] { #expect(modulus.w0 & 1 == 1) }
        #expect(C.Prime.inverse &* C.Prime.modulus.w0 == UInt64.max)
        #expect(C.Order.inverse &* C.Order.modulus.w0 == UInt64.max)
        let generator = C.generator.x.bytes + C.generator.y.bytes
        #expect(AffinePoint<C>(generator) == .generator)
        #expect(C.generatorMultiples.count == SignedDigits.count(SignedDigits.generatorWindow))
        let zero = C.Order.Value(small: 0)
        let last = C.Order.modulus.subtracting(C.Order.Value(small: 1)).difference
        let end = JacobianPoint<C>.sum(generatorTimes: last, .generator, times: zero)
        #expect(AffinePoint(end) == AffinePoint.generator.negated, "the order less 1 times G is −G")
        #expect(end.adding(AffinePoint.generator).isInfinity, "the order times G is at infinity")
    }

    @Test func `the constants of the curves belong together`() {
        checkConstants(P256.self)
        checkConstants(P384.self)
    }

    private func checkField<M: Modulus>(_ modulus: M.Type, seed: UInt64) {
        var dice = Dice(seed: seed)
        let words = M.Value.byteCount / 8
        func number() -> M.Value {
            let edges: [UInt64] = [0, 1, UInt64.max, dice.next(), 1 << 63, 0xFFFF_FFFF]
            let number = M.Value(words: (0..<words).map { _ in dice.pick(edges) })
            return number.isBelow(M.modulus) ? number : number.subtracting(M.modulus).difference
        }
        for _ in 0..<40 {
            let (a, b, c) = (Residue<M>(number()), Residue<M>(number()), Residue<M>(number()))
            #expect((a + b) * c == a * c + b * c)
            #expect((a - b) * (a + b) == a.squared - b.squared)
            #expect(a * b == b * a && (a * b) * c == a * (b * c))
            #expect(a - a == .zero && a + a.negated == .zero)
            #expect(a.isZero || a * a.inverse == .one)
            #expect(Residue<M>(a.value) == a)
            // Multiply by doubling and adding, bit by bit.
            var (sum, bits) = (Residue<M>.zero, b.value)
            var doubled = a
            while !bits.isZero {
                if bits.w0 & 1 == 1 { sum = sum + doubled }
                doubled = doubled.doubled
                bits = bits.halved
            }
            #expect(sum == a * b, "seed \(seed)")
        }
    }

    @Test func `the four fields are fields`() {
        checkField(P256.Prime.self, seed: 1)
        checkField(P256.Order.self, seed: 2)
        checkField(P384.Prime.self, seed: 3)
        checkField(P384.Order.self, seed: 4)
    }

    private func checkPoints<C: Curve>(_ curve: C.Type) {
        let g = JacobianPoint<C>(.generator)
        let multiples = (0..<6).reduce(into: [JacobianPoint<C>.infinity]) { all, _ in
            all.append(all[all.count - 1].adding(g))
        }
        #expect(g.adding(g).isEqual(to: g.doubled))
        #expect(
            g.adding(g.negated).isInfinity && g.adding(AffinePoint.generator.negated).isInfinity)
        #expect(JacobianPoint<C>.infinity.doubled.isInfinity)
        for first in 0..<4 {
            for second in 1..<4 {
                guard let point = AffinePoint(multiples[1]) else { continue }
                let sum = JacobianPoint<C>.sum(
                    generatorTimes: C.Order.Value(small: UInt64(first)), point,
                    times: C.Order.Value(small: UInt64(second)))
                let counted = (0..<(first + second)).reduce(JacobianPoint<C>.infinity) { sum, _ in
                    sum.adding(AffinePoint.generator)
                }
                #expect(sum.isEqual(to: counted), "\(first) and \(second)")
            }
        }
    }

    @Test func `points add up, equal ones and opposite ones too`() {
        checkPoints(P256.self)
        checkPoints(P384.self)
    }

    @Test func `a point off its curve, or with a coordinate that isn't below the prime, is none`() {
        guard case .p256(let key) = TestKey.p256(seed: "point").publicKey else {
            Issue.record("a key of P-256 has a point of P-256")
            return
        }
        #expect(AffinePoint<P256>(key) != nil)
        for byte in [0, 31, 32, 63] {
            var other = key
            other[byte] ^= 1
            #expect(AffinePoint<P256>(other) == nil)
        }
        #expect(AffinePoint<P256>([UInt8](repeating: 0, count: 64)) == nil)
        #expect(AffinePoint<P256>(P256.Prime.modulus.bytes + key[32...]) == nil)
        #expect(AffinePoint<P256>(Array(key.dropLast())) == nil)
        #expect(AffinePoint<P384>(key) == nil)
    }
}

extension JacobianPoint {
    fileprivate func isEqual(to other: Self) -> Bool { AffinePoint(self) == AffinePoint(other) }
}
