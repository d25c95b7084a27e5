#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Memory for what a long log keeps, in pages of 2 MiB where the system has them and is asked: its
/// tables are read all over the place, and of small pages the processor remembers too few.
package enum HugePages {
    /// The size of a page, and what it begins at a multiple of.
    package static let size = 2 << 20

    /// A page, to be deallocated by who asks for it.
    package static func allocate() -> UnsafeMutableRawPointer {
        let page = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: size)
        #if os(Linux)
            // Advice: where it isn't taken, the memory is as good.
            _ = madvise(page, size, MADV_HUGEPAGE)
        #endif
        return page
    }
}
