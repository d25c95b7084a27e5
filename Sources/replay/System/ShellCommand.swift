extension SystemHost {
    func succeeds(_ command: String, on bytes: [UInt8]) throws(SystemProblem) -> Bool {
        // A log tells what people bought, so only the user who runs the tool may read the file.
        let ending = ".jsonl"
        let folder = environment("TMPDIR") ?? "/tmp"
        var template = Array("\(folder)/replay-XXXXXX\(ending)".utf8CString)
        let descriptor = mkstemps(&template, Int32(ending.utf8.count))
        guard descriptor >= 0 else { throw SystemProblem(code: errno) }
        defer { unlink(template) }
        let written = bytes.withUnsafeBytes { bytes in
            Result { () throws(SystemProblem) in try writeAll(bytes, to: descriptor) }
        }
        close(descriptor)
        try written.get()
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let script = "exec </dev/null >/dev/null 2>&1\n\(command) \"$0\""
        return try SystemHost.run(["/bin/sh", "-c", script, path]) == 0
    }

    /// Runs a program, and returns its wait status.
    private static func run(_ words: [String]) throws(SystemProblem) -> Int32 {
        #if os(tvOS) || os(watchOS) || os(visionOS)
            // There are no other programs to run.
            throw SystemProblem(code: ENOSYS)
        #else
            var arguments = words.map { (word: String) in strdup(word) }
            defer { arguments.forEach { free($0) } }
            arguments.append(nil)
            #if canImport(Darwin)
                let variables = _NSGetEnviron().pointee
            #else
                let variables = environ
            #endif
            var process = pid_t()
            let failure = posix_spawn(&process, words[0], nil, nil, arguments, variables)
            guard failure == 0 else { throw SystemProblem(code: failure) }
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 {
                guard errno == EINTR else { throw SystemProblem(code: errno) }
            }
            return status
        #endif
    }
}
