extension SystemHost {
    func succeeds(
        _ command: String, on bytes: [UInt8], within limit: Duration
    ) throws(SystemProblem) -> Bool? {
        // A log tells what people bought, so only the user who runs the tool may read the file.
        let ending = ".jsonl"
        let folder = environment("TMPDIR") ?? "/tmp"
        var template = Array("\(folder)/replay-XXXXXX\(ending)".utf8CString)
        let descriptor = mkstemps(&template, Int32(ending.utf8.count))
        guard descriptor >= 0 else { throw SystemProblem(code: errno) }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        UnfinishedFile.set(path)
        defer {
            unlink(template)
            UnfinishedFile.set(nil)
        }
        let written = bytes.withUnsafeBytes { bytes in
            Result { () throws(SystemProblem) in try writeAll(bytes, to: descriptor) }
        }
        close(descriptor)
        try written.get()
        let script = "exec </dev/null >/dev/null 2>&1\n\(command) \"$0\""
        return try run(["/bin/sh", "-c", script, path], within: limit).map { $0 == 0 }
    }

    #if os(tvOS) || os(watchOS) || os(visionOS)
        /// There are no other programs to run.
        private func run(
            _ words: [String], within limit: Duration
        ) throws(SystemProblem) -> Int32? { throw SystemProblem(code: ENOSYS) }
    #else
        /// Runs a program, and returns its wait status; `nil` if it had to be ended.
        private func run(
            _ words: [String], within limit: Duration
        ) throws(SystemProblem) -> Int32? {
            let process = try SystemHost.begin(words)
            let end = elapsed + limit
            let status = try SystemHost.status(of: process) { hasSignal || elapsed >= end }
            if let status { return status }
            // A program that is asked to end removes its own files.
            kill(-process, SIGTERM)
            let grace = elapsed + .seconds(1)
            if try SystemHost.status(of: process, until: { elapsed >= grace }) == nil {
                kill(-process, SIGKILL)
                _ = try SystemHost.status(of: process) { false }
            }
            return nil
        }

        /// Starts a program in a process group of its own, with all that it starts.
        private static func begin(_ words: [String]) throws(SystemProblem) -> pid_t {
            var arguments = words.map { (word: String) in strdup(word) }
            defer { arguments.forEach { free($0) } }
            arguments.append(nil)
            #if canImport(Darwin)
                let variables = _NSGetEnviron().pointee
            #else
                let variables = environ
            #endif
            #if canImport(Darwin) || canImport(Android)
                var attributes: posix_spawnattr_t?
            #else
                var attributes = posix_spawnattr_t()
            #endif
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
            posix_spawnattr_setpgroup(&attributes, 0)
            var process = pid_t()
            let failure = posix_spawn(&process, words[0], nil, &attributes, arguments, variables)
            guard failure == 0 else { throw SystemProblem(code: failure) }
            return process
        }

        /// Waits for the end of a process, and returns its wait status; `nil` if the wait is over
        /// before.
        private static func status(
            of process: pid_t, until isOver: () -> Bool
        ) throws(SystemProblem) -> Int32? {
            var status: Int32 = 0
            // Waits an eighth longer than the process takes, at most.
            var pause = 100_000.0
            while true {
                let ended = waitpid(process, &status, WNOHANG)
                if ended == process { return status }
                guard ended == 0 || errno == EINTR else { throw SystemProblem(code: errno) }
                if isOver() { return nil }
                var time = timespec(tv_sec: 0, tv_nsec: Int(pause))
                nanosleep(&time, nil)
                pause = min(pause * 1.125, 20_000_000)
            }
        }
    #endif
}
