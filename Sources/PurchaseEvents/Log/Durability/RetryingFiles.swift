/// File operations that repeat interrupted calls and continue short reads and writes.
///
/// Only this type handles either case, so that ``FileOperations`` can stay as thin as the system
/// calls.
struct RetryingFiles: Sendable {
    let operations: any FileOperations

    /// A file system that interrupts every call causes an error, not a hang.
    private static let attempts = 100

    /// Reads once at an offset and returns the number of bytes; only 0 means the end of the file.
    func read(
        _ file: OpenFile, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        try retrying(operations.readBytes(of: file, at: offset, into: buffer))
    }

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
                try retrying(operations.appendBytes(UnsafeRawBufferPointer(buffer), to: file))
            }
            // A device that accepts nothing and reports no error would otherwise cause an endless
            // loop.
            guard more > 0 else { throw SystemError.inputOutput }
            written += more
        }
    }

    /// Overwrites in one call: a write within one disk sector leaves the old bytes or the new.
    func overwrite(
        _ file: OpenFile, at offset: Int64 = 0, with bytes: [UInt8]
    ) throws(SystemError) {
        let count = try bytes.withUnsafeBufferPointer { (buffer) throws(SystemError) in
            try retrying(
                operations.overwriteBytes(UnsafeRawBufferPointer(buffer), of: file, at: offset))
        }
        guard count == bytes.count else { throw SystemError.inputOutput }
    }

    func syncFolder(of path: String) throws(SystemError) {
        let folder =
            switch path.utf8.lastIndex(of: UInt8(ascii: "/")) {
            case nil: "."
            case path.startIndex: "/"
            case let slash?: String(path[..<slash])
            }
        try retrying(operations.syncFolder(at: folder))
    }

    func makeFolder(at path: String) throws(SystemError) {
        do throws(SystemError) {
            try retrying(operations.makeFolder(at: path))
        } catch {
            guard error == .exists else { throw error }
        }
    }

    /// Runs a file operation and adds the operation and the path to any system error.
    @discardableResult
    func doing<Answer>(
        _ act: FileAct, at path: String, _ call: @autoclosure () throws(SystemError) -> Answer
    ) throws(EventLogError) -> Answer {
        do throws(SystemError) {
            return try call()
        } catch {
            throw .failed(act, path: path, error)
        }
    }

    /// Repeats a call while a signal interrupts it.
    func retrying<Answer>(
        _ call: @autoclosure () throws(SystemError) -> Answer
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
