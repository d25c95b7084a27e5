import PurchaseEvents

final class SystemHost: Host {
    private let start = ContinuousClock.now
    /// The position of standard input at the start; `nil` if it isn't a file.
    private let inputStart = SystemHost.startOfInput
    private var signals: HeldSignals?

    func kind(of path: String) throws(SystemProblem) -> PathKind {
        var status = stat()
        try SystemProblem.check(stat(path, &status))
        try SystemProblem.check(access(path, R_OK))
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFREG: return .file(size: Int(status.st_size))
        default: return .stream
        }
    }

    func names(in folder: String) throws(SystemProblem) -> [String] {
        do throws(SystemError) {
            return try FolderNames.read(folder)
        } catch {
            throw SystemProblem(code: error.code)
        }
    }

    func open(_ path: String, from offset: Int) throws(SystemProblem) -> any ByteSource {
        let file = ReadableFile(descriptor: try opened(path, O_RDONLY))
        if offset > 0 { try file.seek(to: offset) }
        return file
    }

    var standardInput: any ByteSource {
        if let inputStart { lseek(STDIN_FILENO, inputStart, SEEK_SET) }
        return DescriptorSource(descriptor: STDIN_FILENO)
    }

    var standardInputSize: Int? {
        var status = stat()
        guard let inputStart, fstat(STDIN_FILENO, &status) == 0 else { return nil }
        return Int(max(0, status.st_size - inputStart))
    }

    private static var startOfInput: off_t? {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        let place = lseek(STDIN_FILENO, 0, SEEK_CUR)
        return place >= 0 ? place : nil
    }

    func write(_ bytes: UnsafeRawBufferPointer, to stream: ToolStream) throws(SystemProblem) {
        try writeAll(bytes, to: SystemHost.descriptor(of: stream))
    }

    func create(_ path: String) throws(SystemProblem) -> any ByteSink {
        CreatedFile(descriptor: try opened(path, O_WRONLY | O_CREAT))
    }

    func isSame(_ path: String, _ other: String) -> Bool {
        var (status, otherStatus) = (stat(), stat())
        guard stat(path, &status) == 0, stat(other, &otherStatus) == 0 else { return false }
        return status.st_dev == otherStatus.st_dev && status.st_ino == otherStatus.st_ino
            && status.st_mode & S_IFMT == S_IFREG
    }

    func replace(_ path: String, with bytes: UnsafeRawBufferPointer) throws(SystemProblem) {
        // A file that isn't regular, such as `/dev/null`, is written in place.
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            return try create(path).write(bytes)
        }
        // Through a symbolic link the linked file is replaced, and the link stays.
        let path = SystemHost.resolved(path)
        let beside = DraftName.random(beside: path)
        let file = try SystemHost.createNew(beside)
        do throws(SystemProblem) {
            try file.write(bytes)
            try SystemProblem.check(rename(beside, path))
        } catch {
            unlink(beside)
            throw error
        }
    }

    func beginReplacing(_ path: String) throws(SystemProblem) -> any FileReplacement {
        try SystemReplacement(SystemHost.resolved(path))
    }

    func change(_ path: String) throws(SystemProblem) -> any ChangedFile {
        try SystemFile(SystemHost.resolved(path))
    }

    func createFolder(_ path: String) throws(SystemProblem) {
        try SystemProblem.check(mkdir(path, 0o777))
    }

    func renameFolder(_ path: String, to other: String) throws(SystemProblem) {
        try SystemProblem.check(rename(path, other))
    }

    func removeFolder(_ path: String) {
        for name in (try? names(in: path)) ?? [] {
            let inner = "\(path)/\(name)"
            if unlink(inner) != 0 { removeFolder(inner) }
        }
        rmdir(path)
    }

    /// Creates a file that isn't there yet.
    ///
    /// Throws, and opens nothing, if the path names a file or a link.
    static func createNew(_ path: String) throws(SystemProblem) -> any ByteSink {
        CreatedFile(descriptor: try opened(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW))
    }

    /// The path that symbolic links lead to; the path itself if there is no such file.
    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    func holdSignals() { signals = signals ?? HeldSignals() }

    var hasSignal: Bool { signals.map { !$0.pause(for: .zero) } ?? false }

    func pause(for duration: Duration) -> Bool {
        let signals = signals ?? HeldSignals()
        self.signals = signals
        return signals.pause(for: duration)
    }

    func isTerminal(_ stream: ToolStream) -> Bool { isatty(SystemHost.descriptor(of: stream)) == 1 }

    var columns: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    var elapsed: Duration { start.duration(to: .now) }

    var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let milliseconds = Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
        return Timestamp(milliseconds: milliseconds)
    }

    var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    private static func descriptor(of stream: ToolStream) -> Int32 {
        stream == .output ? STDOUT_FILENO : STDERR_FILENO
    }

    /// Makes the tool exit silently when the reader of its output goes away, even if the parent
    /// process ignores SIGPIPE.
    static func endQuietlyOnBrokenPipe() { signal(SIGPIPE, SIG_DFL) }
}

/// Opens a file, and with `O_CREAT` creates it; returns its descriptor.
private func opened(_ path: String, _ flags: Int32) throws(SystemProblem) -> Int32 {
    let descriptor = open(path, flags | O_CLOEXEC, 0o644)
    try SystemProblem.check(min(descriptor, 0))
    return descriptor
}

func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemProblem) {
    try writeAll(bytes) { rest, _ in write(descriptor, rest.baseAddress, rest.count) }
}

/// Writes all the bytes with a call that gets what is left and its offset in the bytes.
func writeAll(
    _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer, Int) -> Int
) throws(SystemProblem) {
    var written = 0
    while written < bytes.count {
        let count = write(UnsafeRawBufferPointer(rebasing: bytes[written...]), written)
        if count >= 0 {
            written += count
        } else if errno != EINTR {
            throw SystemProblem(code: errno)
        }
    }
}

/// A file to read from, closed when the last reference to it goes away.
private final class ReadableFile: ByteSource {
    private let descriptor: Int32
    private let source: DescriptorSource

    init(descriptor: Int32) {
        self.descriptor = descriptor
        source = DescriptorSource(descriptor: descriptor)
    }

    deinit { close(descriptor) }

    func seek(to offset: Int) throws(SystemProblem) {
        guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
            throw SystemProblem(code: errno)
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadProblem) -> Int {
        try source.read(into: buffer)
    }
}

/// A file to write to, closed when the last reference goes away; its old content stays until the
/// first write.
private final class CreatedFile: ByteSink {
    private let descriptor: Int32
    private var isEmptied = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemProblem) {
        // EINVAL: a pipe or a device has no content to remove.
        if !isEmptied, ftruncate(descriptor, 0) != 0, errno != EINVAL {
            throw SystemProblem(code: errno)
        }
        isEmptied = true
        try writeAll(bytes, to: descriptor)
    }
}
