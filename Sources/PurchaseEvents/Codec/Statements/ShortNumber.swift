/// Numbers of variable length: seven bits a byte, the lowest first, with the high bit set on all
/// bytes but the last.
package enum ShortNumber {
    static let longest = 10

    /// Writes a number in at most ten bytes, for which there is room, and moves `end` past them.
    @inline(__always)
    package static func write(_ number: UInt64, to end: inout UnsafeMutableRawPointer) {
        var rest = number
        while rest > 0x7F {
            end.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
            end += 1
            rest &>>= 7
        }
        end.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
        end += 1
    }

    @inline(__always)
    package static func read(at start: inout UnsafeRawPointer) -> UInt64 {
        var (number, shift) = (UInt64(0), UInt64(0))
        while true {
            let byte = start.load(as: UInt8.self)
            start += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }

    package static func length(of number: UInt64) -> Int {
        (max(1, UInt64.bitWidth - number.leadingZeroBitCount) + 6) / 7
    }
}
