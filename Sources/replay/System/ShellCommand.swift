#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension SystemHost {
    func succeeds(_ command: String, on bytes: [UInt8]) throws(SystemProblem) -> Bool {
        // The log is somebody's, so the file is readable by its owner alone.
        let ending = ".jsonl"
        let folder = environment("TMPDIR") ?? "/tmp"
        var template = Array("\(folder)/replay-XXXXXX\(ending)".utf8CString)
        let descriptor = mkstemps(&template, Int32(ending.utf8.count))
        guard descriptor >= 0 else { throw SystemProblem(code: errno) }
        defer { unlink(template) }
        let written = bytes.withUnsafeBytes { bytes in
            Result { () throws(SystemProblem) in try SystemHost.write(bytes, to: descriptor) }
        }
        close(descriptor)
        try written.get()
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let script = "exec </dev/null >/dev/null 2>&1\n\(command) \(SystemHost.quoted(path))"
        guard let shell = popen(script, "r") else { throw SystemProblem(code: errno) }
        return pclose(shell) == 0
    }

    /// A text as one word of the shell.
    static func quoted(_ text: String) -> String {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }
}
