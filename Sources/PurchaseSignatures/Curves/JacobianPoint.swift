/// A point of a curve in Jacobian coordinates: x is X / Z², y is Y / Z³; Z is 0 at infinity.
package struct JacobianPoint<C: Curve>: Sendable {
    typealias Element = Residue<C.Prime>

    var x: Element, y: Element, z: Element

    static var infinity: Self { Self(x: .one, y: .one, z: .zero) }

    var isInfinity: Bool { z.isZero }

    @inline(__always)
    var negated: Self { Self(x: x, y: y.negated, z: z) }

    var doubled: Self {
        let (delta, gamma) = (z.squared, y.squared)
        let beta = x * gamma
        let slope = (x - delta) * (x + delta)
        let alpha = slope.doubled + slope
        let fourBeta = beta.doubled.doubled
        let newX = alpha.squared - fourBeta.doubled
        let newZ = (y + z).squared - gamma - delta
        let newY = alpha * (fourBeta - newX) - gamma.squared.doubled.doubled.doubled
        return Self(x: newX, y: newY, z: newZ)
    }

    func adding(_ other: Self) -> Self {
        if isInfinity { return other }
        if other.isInfinity { return self }
        let (square, otherSquare) = (z.squared, other.z.squared)
        let (ownX, ownY) = (x * otherSquare, y * otherSquare * other.z)
        return sum(ownX, ownY, other.x * square, other.y * square * z, zProduct: z * other.z)
    }

    func adding(_ other: AffinePoint<C>) -> Self {
        if isInfinity { return Self(other) }
        let square = z.squared
        return sum(x, y, other.x * square, other.y * square * z, zProduct: z)
    }

    /// The sum of two points with a common denominator.
    @inline(__always)
    private func sum(
        _ x1: Element, _ y1: Element, _ x2: Element, _ y2: Element, zProduct: Element
    ) -> Self {
        let (run, rise) = (x2 - x1, y2 - y1)
        guard !run.isZero else { return rise.isZero ? doubled : .infinity }
        let runSquared = run.squared
        let (runCubed, middle) = (run * runSquared, x1 * runSquared)
        let newX = rise.squared - runCubed - middle.doubled
        return Self(x: newX, y: rise * (middle - newX) - y1 * runCubed, z: zProduct * run)
    }

    /// The point times 1, 3, 5 …
    func oddMultiples(_ count: Int) -> [Self] {
        let twice = doubled
        var multiples = [self]
        while multiples.count < count {
            multiples.append(multiples[multiples.count - 1].adding(twice))
        }
        return multiples
    }

    /// The generator times one number plus a point times another: the bits of both together from
    /// the top (Shamir), as signed digits that are mostly zero.
    package static func sum(
        generatorTimes first: C.Prime.Value, _ point: AffinePoint<C>, times second: C.Prime.Value
    ) -> Self {
        let bits = C.Prime.Value.bitWidth + 1
        let multiples = JacobianPoint(point).oddMultiples(
            SignedDigits.count(SignedDigits.pointWindow))
        return withUnsafeTemporaryAllocation(of: Int16.self, capacity: 2 * bits) { buffer in
            let ours = UnsafeMutableBufferPointer(rebasing: buffer[..<bits])
            let theirs = UnsafeMutableBufferPointer(rebasing: buffer[bits...])
            SignedDigits.write(first, window: SignedDigits.generatorWindow, to: ours)
            SignedDigits.write(second, window: SignedDigits.pointWindow, to: theirs)
            return C.generatorMultiples.withUnsafeBufferPointer { generator in
                multiples.withUnsafeBufferPointer { multiples in
                    sum(ours, generator, theirs, multiples)
                }
            }
        }
    }

    private static func sum(
        _ first: UnsafeMutableBufferPointer<Int16>,
        _ generator: UnsafeBufferPointer<AffinePoint<C>>,
        _ second: UnsafeMutableBufferPointer<Int16>, _ multiples: UnsafeBufferPointer<Self>
    ) -> Self {
        var sum = Self.infinity
        for index in first.indices.reversed() {
            if !sum.isInfinity { sum = sum.doubled }
            let (ours, theirs) = (Int(first[index]), Int(second[index]))
            if ours > 0 { sum = sum.adding(generator[ours >> 1]) }
            if ours < 0 { sum = sum.adding(generator[-ours >> 1].negated) }
            if theirs > 0 { sum = sum.adding(multiples[theirs >> 1]) }
            if theirs < 0 { sum = sum.adding(multiples[-theirs >> 1].negated) }
        }
        return sum
    }
}

extension JacobianPoint {
    init(_ point: AffinePoint<C>) { self.init(x: point.x, y: point.y, z: .one) }
}
