/// File operations that repeat interrupted calls and continue short reads and writes.
///
/// Only this type handles either case, so that ``FileOperations`` can stay as thin as the system
/// calls.
struct RetryingFiles: Sendable {
    let operations: any FileOperations

    /// The maximum number of attempts at an interrupted call; a file system that interrupts every
    /// call causes an error, not a hang.
    private static let attempts = 100

    func openFile(at path: String, for access: FileAccess) throws(SystemError) -> OpenFile {
        try retrying { () throws(SystemError) in try operations.openFile(at: path, for: access) }
    }

    func status(of file: OpenFile) throws(SystemError) -> FileStatus {
        try retrying { () throws(SystemError) in try operations.status(of: file) }
    }

    /// Reads once at an offset and returns the number of bytes; only 0 means the end of the file.
    func read(
        _ file: OpenFile, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        try retrying { () throws(SystemError) in
            try operations.readBytes(of: file, at: offset, into: buffer)
        }
    }

    /// Reads a range of the file; the result is shorter only at the end of the file.
    func read(_ file: OpenFile, at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
        try [UInt8](filling: count) { (filled, buffer) throws(SystemError) in
            try read(file, at: offset + Int64(filled), into: buffer)
        }
    }

    /// Appends all bytes to the file; if it throws, some of them may be written.
    func append(_ bytes: [UInt8], to file: OpenFile) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let more = try bytes[written...].withUnsafeBufferPointer {
                (buffer) throws(SystemError) in
                try retrying { () throws(SystemError) in
                    try operations.appendBytes(UnsafeRawBufferPointer(buffer), to: file)
                }
            }
            // A device that accepts nothing and reports no error would otherwise cause an endless
            // loop.
            guard more > 0 else { throw SystemError.inputOutput }
            written += more
        }
    }

    /// Overwrites bytes of a file in one call.
    ///
    /// A write within one disk sector leaves the old bytes or the new bytes, never a mix.
    func overwrite(
        _ file: OpenFile, at offset: Int64 = 0, with bytes: [UInt8]
    ) throws(SystemError) {
        let count = try bytes.withUnsafeBufferPointer { (buffer) throws(SystemError) in
            try retrying { () throws(SystemError) in
                try operations.overwriteBytes(UnsafeRawBufferPointer(buffer), of: file, at: offset)
            }
        }
        guard count == bytes.count else { throw SystemError.inputOutput }
    }

    func setSize(of file: OpenFile, to size: Int64) throws(SystemError) {
        try retrying { () throws(SystemError) in try operations.setSize(of: file, to: size) }
    }

    func sync(_ file: OpenFile) throws(SystemError) -> SyncStrength {
        try retrying { () throws(SystemError) in try operations.syncFile(file) }
    }

    func syncFolder(of path: String) throws(SystemError) {
        let folder =
            switch path.utf8.lastIndex(of: UInt8(ascii: "/")) {
            case nil: "."
            case path.startIndex: "/"
            case let slash?: String(path[..<slash])
            }
        try retrying { () throws(SystemError) in try operations.syncFolder(at: folder) }
    }

    /// Makes a folder, unless it already exists.
    func makeFolder(at path: String) throws(SystemError) {
        do throws(SystemError) {
            try retrying { () throws(SystemError) in try operations.makeFolder(at: path) }
        } catch {
            guard error == .exists else { throw error }
        }
    }

    func names(inFolder path: String) throws(SystemError) -> [String] {
        try retrying { () throws(SystemError) in try operations.names(inFolder: path) }
    }

    func realPath(ofFolder path: String) throws(SystemError) -> String {
        try retrying { () throws(SystemError) in try operations.realPath(ofFolder: path) }
    }

    func renameFile(at path: String, to newPath: String) throws(SystemError) {
        try retrying { () throws(SystemError) in try operations.renameFile(at: path, to: newPath) }
    }

    func setReadOnly(_ file: OpenFile) throws(SystemError) {
        try retrying { () throws(SystemError) in try operations.setReadOnly(file) }
    }

    func tryLock(_ file: OpenFile) throws(SystemError) -> Bool {
        try retrying { () throws(SystemError) in try operations.tryLock(file) }
    }

    /// Runs a file operation and adds the operation and the path to any system error.
    func doing<Answer>(
        _ act: FileAct, at path: String, _ body: () throws(SystemError) -> Answer
    ) throws(EventLogError) -> Answer {
        do throws(SystemError) {
            return try body()
        } catch {
            throw .failed(act, path: path, error)
        }
    }

    private func retrying<Answer>(
        _ call: () throws(SystemError) -> Answer
    ) throws(SystemError) -> Answer {
        var attempts = 1
        while true {
            do throws(SystemError) {
                return try call()
            } catch {
                guard error == .interrupted, attempts < RetryingFiles.attempts else { throw error }
                attempts += 1
            }
        }
    }
}
