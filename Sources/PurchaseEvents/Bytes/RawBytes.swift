#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

// The system's functions for bytes are faster than loops. Where it has none, a plain loop is faster
// than the standard library's generic code, which a debug build doesn't specialize.
extension UnsafeRawBufferPointer {
    @inline(__always)
    package func endOfLine(from start: Int) -> Int? { firstIndex(of: 0x0A, from: start) }

    @inline(__always)
    package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress,
            let found = memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// The last place of a byte in a range.
    package func lastIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        var place = range.upperBound
        while place > range.lowerBound {
            place &-= 1
            if self[place] == byte { return place }
        }
        return nil
    }

    /// Whether these bytes sort before others: by the first byte that differs, and a prefix sorts
    /// first.
    package func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        guard let base = baseAddress, let otherBase = other.baseAddress else {
            return count < other.count
        }
        let order = memcmp(base, otherBase, Swift.min(count, other.count))
        return order == 0 ? count < other.count : order < 0
    }
}
