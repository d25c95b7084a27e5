import PurchaseEvents

/// A file that is written beside another and then renamed to it.
///
/// A run locks the file that it replaces, so that no two runs do at once, and the one beside it:
/// what has such a name and no lock is left of a run that was killed, and is removed.
final class SystemReplacement: FileReplacement {
    private let path: String
    private let beside: String
    private let part: SystemFile
    /// The file to replace, locked; `nil` if there is none.
    private var replaced: LockedFile?
    private var isInPlace = false

    var file: any ChangedFile { part }

    /// Creates the file under a name that isn't taken yet.
    ///
    /// Throws `EWOULDBLOCK` while another run replaces the same file.
    init(_ path: String) throws(SystemProblem) {
        let replaced = try LockedFile.at(path)
        SystemReplacement.removeRemains(beside: path)
        var beside: String
        var part: SystemFile
        repeat {
            beside = DraftName.random(beside: path)
            part = try SystemFile(beside, O_CREAT | O_EXCL)
            flock(part.descriptor, LOCK_EX)
            // Another run may have taken it for what a killed one left.
        } while part.isRemoved
        (self.path, self.beside, self.part, self.replaced) = (path, beside, part, replaced)
        UnfinishedFile.set(beside)
    }

    deinit {
        if !isInPlace { unlink(beside) }
        UnfinishedFile.set(nil)
    }

    func commit() throws(SystemProblem) {
        try part.sync()
        // Another run may have made the file meanwhile, and yet another one may be using it.
        if replaced == nil { replaced = try LockedFile.at(path) }
        try SystemProblem.check(rename(beside, path))
        isInPlace = true
        // Some file systems can't sync a folder; the file itself is whole all the same.
        let opened = open(SystemReplacement.folder(of: path), O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return }
        fsync(opened)
        close(opened)
    }

    private static func folder(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "."
    }

    /// Removes what killed runs left beside a path: files of the user's own that nobody locks.
    private static func removeRemains(beside path: String) {
        let folder = folder(of: path)
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[$0...].dropFirst() }
        for found in (try? FolderNames.read(folder)) ?? []
        where DraftName.isOne(found, beside: String(name ?? path[...])) {
            let remains = "\(folder)/\(found)"
            guard let file = try? SystemFile(remains),
                flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            unlink(remains)
        }
    }
}

/// A file that one run at a time uses; closed, and free again, when the last reference goes away.
private final class LockedFile {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Locks the file at a path; `nil` if there is none that can be opened.
    ///
    /// Throws `EWOULDBLOCK` while another run has locked it. Where a file system has no locks, the
    /// file is used without one.
    static func at(_ path: String) throws(SystemProblem) -> LockedFile? {
        var (status, opened) = (stat(), stat())
        while stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            let file = LockedFile(descriptor)
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                throw SystemProblem(code: EWOULDBLOCK)
            }
            // Before it was locked, another run may have put a new one in its place.
            guard fstat(descriptor, &opened) == 0, stat(path, &status) == 0 else { return nil }
            if (status.st_dev, status.st_ino) == (opened.st_dev, opened.st_ino) { return file }
        }
        return nil
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

    /// Whether no name leads to the file any more.
    var isRemoved: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

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
