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
            let step = try ReadProblem.retrying {
                bytes[written...].withUnsafeBytes {
                    pwrite(descriptor, $0.baseAddress, $0.count, off_t(count))
                }
            }
            guard step > 0 else { throw ReadProblem(code: errno) }
            written += step
            count += step
        }
    }

    /// The bytes of a range, fewer if the file ends earlier.
    func bytes(_ range: Range<Int>) throws(ReadProblem) -> [UInt8] {
        try [UInt8](filling: range.count) { (filled, buffer) throws(ReadProblem) in
            let offset = off_t(range.lowerBound + filled)
            return try ReadProblem.retrying {
                pread(descriptor, buffer.baseAddress, buffer.count, offset)
            }
        }
    }
}
