#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

#if os(Linux)
    enum Pages {
        /// Maps zeroed memory that starts with a page; what is left of its size after whole large
        /// pages is in small ones.
        static func map(_ byteCount: Int) -> UnsafeMutableRawPointer {
            let size = wholePages(byteCount), page = LongMemory.pageSize
            // Map one extra page, so that the mapping contains an aligned range.
            let (protection, flags) = (PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS)
            guard let start = mmap(nil, size + page, protection, flags, -1, 0),
                start != MAP_FAILED
            else { preconditionFailure("no memory for \(byteCount) bytes") }
            let before = -Int(bitPattern: start) & (page - 1)
            let place = start + before
            if before > 0 { munmap(start, before) }
            munmap(place + size, page - before)
            // This is only advice; the memory works without it.
            madvise(place, size, MADV_HUGEPAGE)
            return place
        }

        static func unmap(_ place: UnsafeMutableRawPointer, _ byteCount: Int) {
            munmap(place, wholePages(byteCount))
        }

        private static func wholePages(_ byteCount: Int) -> Int {
            let page = Int(sysconf(Int32(_SC_PAGESIZE)))
            return (byteCount + page - 1) & ~(page - 1)
        }
    }
#endif
