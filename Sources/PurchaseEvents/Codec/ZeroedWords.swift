#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Memory that is zero and, where there is much of it, costs nothing before it is written to.
enum ZeroedWords {
    /// So many words that are 0.
    static func allocate(_ count: Int) -> UnsafeMutablePointer<UInt64> {
        guard let place = calloc(count, MemoryLayout<UInt64>.stride) else {
            preconditionFailure("no memory for \(count) words")
        }
        return place.bindMemory(to: UInt64.self, capacity: count)
    }

    /// Gives memory of ``allocate(_:)`` back.
    static func deallocate(_ words: UnsafeMutablePointer<UInt64>?) { free(words) }
}
