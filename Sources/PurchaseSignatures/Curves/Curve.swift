/// A curve y² = x³ − 3x + b over a prime field, with a prime number of points.
package protocol Curve: Sendable {
    associatedtype Prime: Modulus
    associatedtype Order: Modulus where Order.Value == Prime.Value
    static var b: Prime.Value { get }
    static var generator: (x: Prime.Value, y: Prime.Value) { get }
    /// The generator times 1, 3, 5 … 127, for ``SignedDigits/generatorWindow``; computed once.
    static var generatorMultiples: [AffinePoint<Self>] { get }
    /// The generator's multiples for products with the generator alone; computed once.
    static var generatorTable: GeneratorTable<Self> { get }
}

/// A point of a curve, given by its coordinates; never the point at infinity.
package struct AffinePoint<C: Curve>: Hashable, Sendable {
    package let x: Residue<C.Prime>, y: Residue<C.Prime>

    /// Creates a point from two big-endian coordinates; `nil` if it isn't on the curve.
    package init?(_ coordinates: [UInt8]) {
        let width = C.Prime.Value.byteCount
        guard coordinates.count == 2 * width,
            let x = C.Prime.Value(bigEndian: coordinates[..<width]),
            let y = C.Prime.Value(bigEndian: coordinates[width...]),
            x.isBelow(C.Prime.modulus), y.isBelow(C.Prime.modulus)
        else { return nil }
        self.init(x: Residue(x), y: Residue(y))
        let right = (self.x.squared - Self.three) * self.x + Residue(C.b)
        guard self.y.squared == right else { return nil }
    }

    private init(x: Residue<C.Prime>, y: Residue<C.Prime>) {
        self.x = x
        self.y = y
    }

    package init?(_ point: JacobianPoint<C>) {
        guard !point.isInfinity else { return nil }
        let inverse = point.z.inverse
        let square = inverse.squared
        self.init(x: point.x * square, y: point.y * square * inverse)
    }

    /// Converts points, none of them at infinity, with one inversion for all of them.
    static func all(_ points: [JacobianPoint<C>]) -> [Self] {
        var products = [Residue<C.Prime>.one]
        for point in points { products.append(products[products.count - 1] * point.z) }
        var inverse = products[points.count].inverse
        var converted: [Self] = []
        for (index, point) in points.enumerated().reversed() {
            let own = inverse * products[index]
            inverse = inverse * point.z
            converted.append(Self(x: point.x * own.squared, y: point.y * own.squared * own))
        }
        return converted.reversed()
    }

    private static var three: Residue<C.Prime> { Residue(C.Prime.Value(small: 3)) }

    package static var generator: Self {
        Self(x: Residue(C.generator.x), y: Residue(C.generator.y))
    }

    @inline(__always)
    var negated: Self { Self(x: x, y: y.negated) }

    static func oddMultiplesOfGenerator() -> [Self] {
        JacobianPoint(generator).oddMultiples(SignedDigits.count(SignedDigits.generatorWindow))
            .compactMap { Self($0) }
    }
}
