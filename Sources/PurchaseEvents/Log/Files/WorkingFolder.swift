#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The folder that relative paths start from.
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

    /// The folder at an absolute path, or `nil` if it doesn't exist.
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

    /// Resolves a path relative to this folder.
    ///
    /// While this is the process's working folder, the path stays unchanged, so the process needs
    /// no permission for the folders above.
    func resolve(_ path: String) -> String {
        guard let first = path.utf8.first, first != UInt8(ascii: "/"), Identity(of: ".") != identity
        else { return path }
        return "\(self.path)/\(path)"
    }
}
