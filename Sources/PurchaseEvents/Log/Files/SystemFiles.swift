#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The file operations of the operating system: one POSIX call each.
///
/// Relative paths start at the process's working folder at the time of creation, so a later change
/// of that folder doesn't affect an open log.
struct SystemFiles: FileOperations {
    private let start: WorkingFolder?

    init(from start: WorkingFolder? = WorkingFolder()) { self.start = start }

    var processID: Int32 { getpid() }

    private func path(_ path: String) -> String { start?.resolve(path) ?? path }

    func openFile(at path: String, for access: FileAccess) throws(SystemError) -> OpenFile {
        // `O_NONBLOCK` changes nothing for a regular file; without it, opening a pipe would wait.
        let always = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let path = self.path(path)
        let number =
            switch access {
            case .reading: open(path, O_RDONLY | always)
            case .appending: open(path, O_RDWR | O_APPEND | always)
            case .creating: open(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | always, 0o600)
            case .locking: open(path, O_RDWR | O_CREAT | always, 0o600)
            case .rewriting: open(path, O_RDWR | always)
            }
        return OpenFile(number: try check(number))
    }

    func status(of file: OpenFile) throws(SystemError) -> FileStatus {
        var status = stat()
        try check(fstat(file.number, &status))
        let kind: FileKind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            default: .other
            }
        return FileStatus(
            kind: kind, size: Int64(status.st_size), links: Int(clamping: status.st_nlink),
            isReadOnly: status.st_mode & S_IWUSR == 0)
    }

    func readBytes(
        of file: OpenFile, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        try check(pread(file.number, buffer.baseAddress, buffer.count, off_t(offset)))
    }

    func appendBytes(
        _ bytes: UnsafeRawBufferPointer, to file: OpenFile
    ) throws(SystemError) -> Int {
        try check(write(file.number, bytes.baseAddress, bytes.count))
    }

    func overwriteBytes(
        _ bytes: UnsafeRawBufferPointer, of file: OpenFile, at offset: Int64
    ) throws(SystemError) -> Int {
        try check(pwrite(file.number, bytes.baseAddress, bytes.count, off_t(offset)))
    }

    func setSize(of file: OpenFile, to size: Int64) throws(SystemError) {
        try check(ftruncate(file.number, off_t(size)))
    }

    func syncFile(_ file: OpenFile) throws(SystemError) -> SyncStrength {
        #if canImport(Darwin)
            // On Apple platforms `fsync` alone leaves the bytes in the drive's cache. Use it only
            // if the file system doesn't support `F_FULLFSYNC`.
            if fcntl(file.number, F_FULLFSYNC) == 0 { return .throughCache }
            guard [ENOTSUP, ENOTTY, EINVAL].contains(errno) else { throw SystemError(code: errno) }
            try check(fsync(file.number))
            return .toDrive
        #else
            try check(fdatasync(file.number))
            return .throughCache
        #endif
    }

    func syncFolder(at path: String) throws(SystemError) {
        let number = open(self.path(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try check(number)
        defer { close(number) }
        #if canImport(Darwin)
            if fcntl(number, F_FULLFSYNC) == 0 { return }
        #endif
        // Some network file systems don't sync folders: they return `EINVAL` and store names in
        // their own way.
        if fsync(number) != 0, errno != EINVAL { throw SystemError(code: errno) }
    }

    func makeFolder(at path: String) throws(SystemError) {
        try check(mkdir(self.path(path), 0o700))
    }

    func names(inFolder path: String) throws(SystemError) -> [String] {
        try FolderNames.read(self.path(path))
    }

    func realPath(ofFolder path: String) throws(SystemError) -> String {
        guard let bytes = realpath(self.path(path), nil) else { throw SystemError(code: errno) }
        defer { free(bytes) }
        guard let real = String(validatingCString: bytes) else { throw SystemError(code: EILSEQ) }
        return real
    }

    func renameFile(at path: String, to newPath: String) throws(SystemError) {
        try check(rename(self.path(path), self.path(newPath)))
    }

    func setReadOnly(_ file: OpenFile) throws(SystemError) { try check(fchmod(file.number, 0o400)) }

    func tryLock(_ file: OpenFile) throws(SystemError) -> Bool {
        if flock(file.number, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw SystemError(code: errno) }
        return false
    }

    func closeFile(_ file: OpenFile) {
        // Never retry: after `EINTR` the descriptor may already belong to another file.
        close(file.number)
    }

    @discardableResult
    private func check<Answer: SignedInteger>(_ answer: Answer) throws(SystemError) -> Answer {
        guard answer >= 0 else { throw SystemError(code: errno) }
        return answer
    }
}

struct WorkingFolder: Sendable {
    /// Identifies a folder independently of its path.
    private struct Identity: Hashable {
        let device: dev_t
        let number: ino_t

        init?(of path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = status.st_dev
            number = status.st_ino
        }
    }

    private let path: String
    private let identity: Identity

    init?(at path: String) {
        guard let identity = Identity(of: path) else { return nil }
        self.path = path
        self.identity = identity
    }

    /// The current working folder of the process, or `nil` if the system can't tell its path.
    init?() {
        guard let bytes = getcwd(nil, 0) else { return nil }
        defer { free(bytes) }
        guard let path = String(validatingCString: bytes) else { return nil }
        self.init(at: path)
    }

    /// Resolves a path; while this is the process's working folder, the path stays unchanged, so
    /// the process needs no permission for the folders above.
    func resolve(_ path: String) -> String {
        guard let first = path.utf8.first, first != UInt8(ascii: "/"), Identity(of: ".") != identity
        else { return path }
        return "\(self.path)/\(path)"
    }
}

package enum FolderNames {
    package static func read(_ path: String) throws(SystemError) -> [String] {
        guard let folder = opendir(path) else { throw SystemError(code: errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            // At the end of the folder as after an error, `readdir` returns nil; only an error
            // sets `errno`.
            errno = 0
            guard let entry = readdir(folder) else {
                if errno != 0 { throw SystemError(code: errno) }
                return names
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }
}
