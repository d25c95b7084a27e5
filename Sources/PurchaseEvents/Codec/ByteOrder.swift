/// The order of bytes, eight at a time.
extension UnsafeRawBufferPointer {
    /// Whether these bytes come before others: the first that differs decides, and what is the
    /// beginning of the other comes first.
    package func precedes(_ other: UnsafeRawBufferPointer) -> Bool { order(beside: other) < 0 }

    /// Less than 0 where these bytes come before others, more where they come after, 0 where they
    /// are equal.
    @inline(__always)
    fileprivate func order(beside other: UnsafeRawBufferPointer) -> Int {
        var place = 0
        let common = Swift.min(count, other.count)
        while place &+ 8 <= common {
            let left = loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let right = other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            if left != right { return UInt64(bigEndian: left) < UInt64(bigEndian: right) ? -1 : 1 }
            place &+= 8
        }
        while place < common {
            if self[place] != other[place] { return self[place] < other[place] ? -1 : 1 }
            place &+= 1
        }
        return count &- other.count
    }
}

extension String {
    /// Less than 0 where the bytes of this text come before those of another, more where they come
    /// after, 0 where they are equal. Equal texts may have other bytes.
    package func byteOrder(beside other: String) -> Int {
        let order = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                UnsafeRawBufferPointer(left).order(beside: UnsafeRawBufferPointer(right))
            }
        }
        if let order = order ?? nil { return order }
        if utf8.lexicographicallyPrecedes(other.utf8) { return -1 }
        return other.utf8.lexicographicallyPrecedes(utf8) ? 1 : 0
    }
}
