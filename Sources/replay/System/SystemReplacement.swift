/// A file that is written beside another and then renamed to it.
///
/// Its name is the other's with `.part` added, so what a killed run left is used again. A lock
/// keeps two runs from writing it at once.
final class SystemReplacement: FileReplacement {
    private let path: String
    private let part: SystemFile
    private var isInPlace = false

    var file: any ChangedFile { part }

    private var beside: String { "\(path).part" }

    /// Creates the file, and empties what an interrupted run left.
    ///
    /// Throws `EEXIST` if the file belongs to someone else or isn't a file, and `EWOULDBLOCK` while
    /// another run writes it.
    init(_ path: String) throws(SystemProblem) {
        let part = try SystemFile("\(path).part", O_CREAT)
        try SystemProblem.check(flock(part.descriptor, LOCK_EX | LOCK_NB))
        try part.cut(at: 0)
        (self.path, self.part) = (path, part)
    }

    deinit {
        if !isInPlace { unlink(beside) }
    }

    func commit() throws(SystemProblem) {
        try part.sync()
        try SystemProblem.check(rename(beside, path))
        isInPlace = true
        // Some file systems can't sync a folder; the file itself is whole all the same.
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "."
        let opened = open(folder, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return }
        fsync(opened)
        close(opened)
    }
}

/// A file of the user's own, which nobody else may read.
final class SystemFile: ChangedFile {
    let descriptor: Int32

    /// Opens the file; throws `EEXIST` if it belongs to someone else, has other names or isn't a
    /// file.
    init(_ path: String, _ flags: Int32 = 0) throws(SystemProblem) {
        let flags = flags | O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        descriptor = open(path, flags, 0o600)
        try SystemProblem.check(min(descriptor, 0))
        var status = stat()
        try SystemProblem.check(fstat(descriptor, &status))
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_nlink == 1
        else { throw SystemProblem(code: EEXIST) }
        try SystemProblem.check(fchmod(descriptor, 0o600))
    }

    deinit { close(descriptor) }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemProblem) {
        try writeAll(bytes) { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + $1)) }
    }

    func sync() throws(SystemProblem) { try SystemProblem.check(fsync(descriptor)) }

    func cut(at offset: Int) throws(SystemProblem) {
        try SystemProblem.check(ftruncate(descriptor, off_t(offset)))
    }
}

extension SystemProblem {
    /// Throws the system's error if a call returned another number than 0.
    static func check(_ result: Int32) throws(SystemProblem) {
        guard result == 0 else { throw SystemProblem(code: errno) }
    }
}
