import PurchaseEvents

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A temporary file without a name, removed when the object is released.
final class SpillFile {
    private let descriptor: Int32
    private(set) var count = 0

    /// Creates a file in the folder for temporary files; returns `nil` if that fails.
    init?() {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var path = Array("\(folder)/replay-import-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return nil }
        unlink(path)
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    func append(_ bytes: [UInt8]) throws(ReadProblem) {
        var written = 0
        while written < bytes.count {
            let step = bytes.withUnsafeBytes { all in
                let rest = UnsafeRawBufferPointer(rebasing: all[written...])
                return pwrite(descriptor, rest.baseAddress, rest.count, off_t(count))
            }
            if step > 0 {
                written += step
                count += step
            } else if errno != EINTR {
                throw ReadProblem(code: errno)
            }
        }
    }

    /// The bytes of a range, fewer if the file ends earlier.
    func bytes(_ range: Range<Int>) throws(ReadProblem) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var read = 0
        while read < bytes.count {
            let step = bytes.withUnsafeMutableBytes { all in
                let rest = UnsafeMutableRawBufferPointer(rebasing: all[read...])
                return pread(
                    descriptor, rest.baseAddress, rest.count, off_t(range.lowerBound + read))
            }
            if step == 0 { break }
            if step > 0 {
                read += step
            } else if errno != EINTR {
                throw ReadProblem(code: errno)
            }
        }
        return Array(bytes.prefix(read))
    }
}
