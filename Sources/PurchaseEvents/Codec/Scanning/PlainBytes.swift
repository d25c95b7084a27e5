/// Tests a line's bytes, sixteen at a time.
enum PlainBytes {
    typealias Vector = SIMD16<Int8>
    /// The longest line, in bytes, whose quotes can be counted without a lane overflowing.
    private static let longest = 4_080

    /// The number of quotes in a line of 16 to 4,080 bytes that are all printable ASCII without a
    /// backslash; `nil` for any other line.
    @inline(__always)
    static func quotes(_ base: UnsafeRawPointer, _ count: Int) -> Int? {
        guard count >= 16, count <= longest else { return nil }
        var allPlain = Vector(repeating: -1)
        var quotes = Vector(repeating: 0)
        var offset = 0
        while offset &+ 16 <= count {
            let bytes = base.loadUnaligned(fromByteOffset: offset, as: Vector.self)
            allPlain &= plain(bytes)
            quotes = quotes &- quotesIn(bytes)
            offset &+= 16
        }
        // The last sixteen bytes; the bytes counted above don't count again.
        let bytes = base.loadUnaligned(fromByteOffset: count &- 16, as: Vector.self)
        allPlain &= plain(bytes)
        let seen = Vector(repeating: Int8(truncatingIfNeeded: 16 &- (count &- offset)))
        let places = Vector(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
        quotes = quotes &- quotesIn(bytes).replacing(with: 0, where: places .< seen)
        return hasHighBits(allPlain) ? sum(quotes) : nil
    }

    /// Sets all bits of the lanes with printable ASCII but no backslash, and clears the others.
    @inline(__always)
    static func plain(_ bytes: Vector) -> Vector {
        // DEL plus one wraps around to the smallest number, so DEL isn't plain.
        lanes(bytes &+ Vector(repeating: 1) .> Vector(repeating: 0x20))
            & lanes(bytes .!= Vector(repeating: 0x5C))
    }

    /// Sets all bits of the lanes that a string can hold unescaped.
    @inline(__always)
    static func unescaped(_ bytes: Vector) -> Vector { plain(bytes) & ~quotesIn(bytes) }

    @inline(__always)
    static func lanes(_ mask: SIMDMask<Vector>) -> Vector {
        // A mask has the layout of its lanes; `replacing(with:where:)` is too long to inline often.
        withUnsafeBytes(of: mask) { $0.loadUnaligned(as: Vector.self) }
    }

    @inline(__always)
    static func hasHighBits(_ lanes: Vector) -> Bool {
        let (low, high) = halves(lanes)
        return low & high & 0x8080_8080_8080_8080 == 0x8080_8080_8080_8080
    }

    @inline(__always)
    private static func quotesIn(_ bytes: Vector) -> Vector {
        lanes(bytes .== Vector(repeating: Int8(UInt8(ascii: "\""))))
    }

    /// The sum of the lanes as unsigned numbers, which is below 65,536.
    @inline(__always)
    private static func sum(_ lanes: Vector) -> Int {
        let (low, high) = halves(lanes)
        let pairs: UInt64 = 0x00FF_00FF_00FF_00FF
        let four = (low & pairs) &+ (low >> 8 & pairs) &+ (high & pairs) &+ (high >> 8 & pairs)
        return Int(truncatingIfNeeded: (four &* 0x0001_0001_0001_0001) >> 48)
    }

    /// The sixteen bytes of a vector as two words, in any order.
    @inline(__always)
    private static func halves(_ vector: Vector) -> (UInt64, UInt64) {
        withUnsafeBytes(of: vector) { bytes in
            (
                bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
    }
}
