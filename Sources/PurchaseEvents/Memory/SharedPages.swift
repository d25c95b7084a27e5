#if os(Linux)
    /// Pages shared by several allocations; a page is unmapped with its last allocation.
    struct SharedPages: Sendable {
        /// The number of live allocations in each page, by the page's address.
        private var parts: [UInt: Int] = [:]
        /// The page to allocate from, and the number of its bytes in use.
        private var page: UInt = 0, taken = LongMemory.pageSize
        /// The bytes of ordinary memory in use.
        private var ordinary = 0

        var pageCount: Int { parts.count }

        /// Allocates part of a page, or returns `nil` to use ordinary memory while little is in
        /// use.
        mutating func take(_ byteCount: Int, _ alignment: Int) -> UnsafeMutableRawPointer? {
            if ordinary < LongMemory.ordinaryLimit {
                ordinary += byteCount
                return nil
            }
            var start = (taken + alignment - 1) & ~(alignment - 1)
            if start + byteCount > LongMemory.pageSize {
                page = UInt(bitPattern: Pages.map(LongMemory.pageSize))
                start = 0
            }
            taken = start + byteCount
            parts[page, default: 0] += 1
            return UnsafeMutableRawPointer(bitPattern: page + UInt(start))
        }

        /// Frees part of a page; returns `false` if the memory is ordinary.
        mutating func free(_ place: UnsafeMutableRawPointer, _ byteCount: Int) -> Bool {
            let address = UInt(bitPattern: place)
            let page = address & ~UInt(LongMemory.pageSize - 1)
            guard let count = parts[page] else {
                ordinary -= byteCount
                return false
            }
            parts[page] = count - 1
            guard count == 1 else { return true }
            if page == self.page {
                // Nothing in this page is in use, so allocate from its start again.
                taken = 0
            } else {
                parts[page] = nil
                Pages.unmap(place - Int(address - page), LongMemory.pageSize)
            }
            return true
        }
    }
#endif
