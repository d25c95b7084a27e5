/// Compares byte strings, eight bytes at a time.
extension UnsafeRawBufferPointer {
    /// Whether these bytes sort before others: by the first byte that differs, and a prefix sorts
    /// first.
    package func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        let common = Swift.min(count, other.count)
        while place &+ 8 <= common {
            let left = loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let right = other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            if left != right { return UInt64(bigEndian: left) < UInt64(bigEndian: right) }
            place &+= 8
        }
        while place < common {
            if self[place] != other[place] { return self[place] < other[place] }
            place &+= 1
        }
        return count < other.count
    }
}
