#if os(Linux)
    /// Pages that several tables have parts of; one goes back to the system with its last part.
    struct SharedPages: Sendable {
        /// How many parts of each page are given out, by its address.
        private var parts: [UInt: Int] = [:]
        /// The page that parts are taken of, and how much of it is taken.
        private var page: UInt = 0, taken = LongMemory.pageSize
        /// How much of ordinary memory is given out.
        private var ordinary = 0

        /// How many pages there are.
        var pageCount: Int { parts.count }

        /// A part of a page; `nil`, and ordinary memory is to be taken, as long as that is little.
        mutating func take(_ byteCount: Int, _ alignment: Int) -> UnsafeMutableRawPointer? {
            if ordinary < LongMemory.ordinaryMost {
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

        /// Takes a part back; `false` where it is ordinary memory.
        mutating func giveBack(_ place: UnsafeMutableRawPointer, _ byteCount: Int) -> Bool {
            let address = UInt(bitPattern: place)
            let page = address & ~UInt(LongMemory.pageSize - 1)
            guard let count = parts[page] else {
                ordinary -= byteCount
                return false
            }
            parts[page] = count - 1
            guard count == 1 else { return true }
            if page == self.page {
                // Nothing of it is given out, so parts are taken from its beginning again.
                taken = 0
            } else {
                parts[page] = nil
                Pages.unmap(place - Int(address - page), LongMemory.pageSize)
            }
            return true
        }
    }
#endif
