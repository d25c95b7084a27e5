#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A file that is written beside another and then renamed to it.
///
/// Its name is the other's with `.part` added, so what a killed run left is used again. A lock
/// keeps two runs from writing it at once.
final class SystemReplacement: FileReplacement, @unchecked Sendable {
    private let path: String
    private let beside: String
    private let descriptor: Int32
    private var isInPlace = false

    /// Creates the file, and empties what an interrupted run left.
    ///
    /// Throws `EEXIST` if the file belongs to someone else or isn't a file, and `EWOULDBLOCK` while
    /// another run writes it.
    init(_ path: String) throws(SystemProblem) {
        self.path = path
        beside = "\(path).part"
        let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        descriptor = open(beside, flags, 0o600)
        guard descriptor >= 0 else { throw SystemProblem(code: errno) }
        do throws(SystemProblem) {
            var status = stat()
            try SystemReplacement.check(fstat(descriptor, &status))
            guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
                status.st_nlink == 1
            else { throw SystemProblem(code: EEXIST) }
            try SystemReplacement.check(flock(descriptor, LOCK_EX | LOCK_NB))
            try SystemReplacement.check(fchmod(descriptor, 0o600))
            try SystemReplacement.check(ftruncate(descriptor, 0))
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        if !isInPlace { unlink(beside) }
        close(descriptor)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemProblem) {
        try writeAll(bytes, to: descriptor)
    }

    func sync() { fsync(descriptor) }

    func commit() throws(SystemProblem) {
        try SystemReplacement.check(fsync(descriptor))
        try SystemReplacement.check(rename(beside, path))
        isInPlace = true
        // Some file systems can't sync a folder; the file itself is whole all the same.
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "."
        let opened = open(folder, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return }
        fsync(opened)
        close(opened)
    }

    private static func check(_ result: Int32) throws(SystemProblem) {
        guard result == 0 else { throw SystemProblem(code: errno) }
    }
}
