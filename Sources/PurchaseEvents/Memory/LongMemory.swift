/// Memory for what is kept of a long log, in pages of 2 MiB where the system has them.
///
/// Tables of a long log are read all over the place: of small pages the processor remembers too
/// few, and each costs a fault when it is first written to. As long as little is asked for, it is
/// memory as anybody gives it. May be asked for on any thread.
package enum LongMemory {
    /// The size of a page, and what it begins at a multiple of.
    static let pageSize = 2 << 20
    /// What is at least as long has pages of its own; what is shorter shares them with others.
    private static let leastOfItsOwn = pageSize / 2
    /// What is shorter is no part of a page.
    private static let leastPart = 512
    /// How much there may be of such parts before pages are taken for them.
    static let ordinaryMost = 4 << 20

    /// Memory that holds anything, to be given back by ``deallocate(_:byteCount:)``.
    package static func allocate(byteCount: Int, alignment: Int) -> UnsafeMutableRawPointer {
        #if os(Linux)
            if byteCount >= leastOfItsOwn { return Pages.map(byteCount) }
            if byteCount >= leastPart,
                let part = shared.withLock({ $0.take(byteCount, alignment) })
            {
                return part
            }
        #endif
        return .allocate(byteCount: byteCount, alignment: alignment)
    }

    /// Memory that is zero, aligned for any value; what isn't written to of much of it costs
    /// nothing but what is left of a page.
    static func allocateZeroed(byteCount: Int) -> UnsafeMutableRawPointer {
        #if os(Linux)
            if byteCount >= leastOfItsOwn { return Pages.map(byteCount) }
        #endif
        let place = allocate(byteCount: byteCount, alignment: 16)
        place.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        return place
    }

    /// Gives memory back, of which so many bytes were asked for.
    package static func deallocate(_ place: UnsafeMutableRawPointer, byteCount: Int) {
        #if os(Linux)
            if byteCount >= leastOfItsOwn { return Pages.unmap(place, byteCount) }
            if byteCount >= leastPart, shared.withLock({ $0.giveBack(place, byteCount) }) {
                return
            }
        #endif
        place.deallocate()
    }

    /// Memory for so many values, to be initialized, and given back by ``deallocate(_:capacity:)``.
    package static func allocate<Value>(
        _ type: Value.Type, capacity: Int, alignment: Int = MemoryLayout<Value>.alignment
    ) -> UnsafeMutablePointer<Value> {
        allocate(byteCount: MemoryLayout<Value>.stride * capacity, alignment: alignment)
            .bindMemory(to: type, capacity: capacity)
    }

    /// So many integers that are 0, to be given back by ``deallocate(_:capacity:)``.
    static func allocateZeroed<Value: FixedWidthInteger>(
        _ type: Value.Type, capacity: Int
    ) -> UnsafeMutablePointer<Value> {
        allocateZeroed(byteCount: MemoryLayout<Value>.stride * capacity)
            .bindMemory(to: type, capacity: capacity)
    }

    /// Gives memory back, of which so many values were asked for; none is initialized any more.
    package static func deallocate<Value>(_ values: UnsafeMutablePointer<Value>, capacity: Int) {
        deallocate(values, byteCount: MemoryLayout<Value>.stride * capacity)
    }

    #if os(Linux)
        private static let shared = Protected(SharedPages())
    #endif
}
