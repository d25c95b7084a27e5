/// Allocates state for long logs in 2 MiB pages where the system has them.
///
/// Tables of a long log are accessed at random: small pages overflow the processor's translation
/// cache, and each page faults on its first write. Small allocations use ordinary memory until a
/// few megabytes are in use. All functions may be called on any thread.
package enum LongMemory {
    static let pageSize = 2 << 20
    /// The smallest allocation with pages of its own, in bytes; smaller ones share pages.
    private static let separateMinimum = pageSize
    /// The smallest allocation in a shared page, in bytes; smaller ones use ordinary memory.
    static let sharedMinimum = 512
    /// The bytes of ordinary memory to use before allocating shared pages.
    static let ordinaryLimit = 4 << 20

    package static func allocate(byteCount: Int, alignment: Int) -> UnsafeMutableRawPointer {
        #if os(Linux)
            if byteCount >= separateMinimum { return Pages.map(byteCount) }
            if byteCount >= sharedMinimum,
                let part = shared.withLock({ $0.take(byteCount, alignment) })
            {
                return part
            }
        #endif
        return .allocate(byteCount: byteCount, alignment: alignment)
    }

    /// Allocates zeroed memory for any type; untouched pages of a large allocation cost nothing.
    static func allocateZeroed(byteCount: Int) -> UnsafeMutableRawPointer {
        #if os(Linux)
            if byteCount >= separateMinimum { return Pages.map(byteCount) }
        #endif
        let place = allocate(byteCount: byteCount, alignment: 16)
        place.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        return place
    }

    /// Frees memory; `byteCount` must be the size that was allocated.
    package static func deallocate(_ place: UnsafeMutableRawPointer, byteCount: Int) {
        #if os(Linux)
            if byteCount >= separateMinimum { return Pages.unmap(place, byteCount) }
            if byteCount >= sharedMinimum, shared.withLock({ $0.free(place, byteCount) }) { return }
        #endif
        place.deallocate()
    }

    /// Allocates memory to initialize and then free with ``deallocate(_:capacity:)``.
    package static func allocate<Value>(
        _ type: Value.Type, capacity: Int, alignment: Int = MemoryLayout<Value>.alignment
    ) -> UnsafeMutablePointer<Value> {
        allocate(byteCount: MemoryLayout<Value>.stride * capacity, alignment: alignment)
            .bindMemory(to: type, capacity: capacity)
    }

    static func allocateZeroed<Value: FixedWidthInteger>(
        _ type: Value.Type, capacity: Int
    ) -> UnsafeMutablePointer<Value> {
        allocateZeroed(byteCount: MemoryLayout<Value>.stride * capacity)
            .bindMemory(to: type, capacity: capacity)
    }

    /// Frees memory for values, which must be deinitialized; `capacity` must be the allocated one.
    package static func deallocate<Value>(_ values: UnsafeMutablePointer<Value>, capacity: Int) {
        deallocate(values, byteCount: MemoryLayout<Value>.stride * capacity)
    }

    #if os(Linux)
        private static let shared = Protected(SharedPages())
    #endif
}
