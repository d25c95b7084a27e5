#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Lists folders.
package enum FolderNames {
    /// The names in a folder, in any order, without `.` and `..`.
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
