#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The folder from which relative paths lead.
struct WorkingFolder: Sendable {
    /// What tells a folder from any other, whatever its path.
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

    /// The folder of that path, which begins at the root; `nil` where there is none.
    init?(at path: String) {
        guard let identity = Identity(of: path) else { return nil }
        self.path = path
        self.identity = identity
    }

    /// The folder in which the process works now; `nil` where the system can't tell its path.
    init?() {
        guard let bytes = getcwd(nil, 0) else { return nil }
        defer { free(bytes) }
        guard let path = String(validatingCString: bytes) else { return nil }
        self.init(at: path)
    }

    /// A path that leads where the given one leads from this folder: the same, as long as the
    /// process works here, so that the folders above needn't be open to it.
    func lead(_ path: String) -> String {
        guard let first = path.utf8.first, first != UInt8(ascii: "/"), Identity(of: ".") != identity
        else { return path }
        return "\(self.path)/\(path)"
    }
}
