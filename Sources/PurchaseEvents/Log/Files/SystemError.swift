#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The reason why the operating system refused a file operation.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error number, as in `errno`.
    public let code: Int32

    /// Creates the error with an error number.
    public init(code: Int32) { self.code = code }

    /// The error in words, the same on every platform and in every locale.
    public var description: String { SystemError.words[code] ?? "operating system error \(code)" }

    package var isDenied: Bool { code == EACCES || code == EPERM }

    /// The errors that the log tells apart.
    static let missing = SystemError(code: ENOENT), exists = SystemError(code: EEXIST)
    static let link = SystemError(code: ELOOP), folder = SystemError(code: EISDIR)
    static let noDevice = SystemError(code: ENXIO), readOnly = SystemError(code: EROFS)
    static let interrupted = SystemError(code: EINTR), inputOutput = SystemError(code: EIO)

    private static let words: [Int32: String] = [
        EACCES: "permission denied",
        EBADF: "the file isn't open for this",
        EDQUOT: "the disk quota is used up",
        EEXIST: "the file exists",
        EFBIG: "the file would be too large",
        EINTR: "interrupted too many times",
        EINVAL: "the file system can't do this",
        EIO: "input or output error",
        EISDIR: "is a folder",
        ELOOP: "is a symbolic link",
        EMFILE: "too many open files in this process",
        ENAMETOOLONG: "the file name is too long",
        ENFILE: "too many open files",
        ENOENT: "no such file or folder",
        ENOLCK: "the file system has no locks left",
        ENOSPC: "no space left on the device",
        ENOTDIR: "a part of the path isn't a folder",
        ENOTSUP: "the file system doesn't support this",
        EPERM: "not permitted",
        EROFS: "the file system is read-only",
    ]
}
