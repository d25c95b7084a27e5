/// A small file that is always replaced as a whole: after a crash it has its old bytes or its new
/// ones, never a mix.
package struct ReplacedFile: Sendable {
    /// The path of the file; its next version is written beside it, with `.new` added.
    package let path: String
    private let files: RetryingFiles

    /// Creates a file at a path; nothing is read or written yet.
    package init(at path: String) { self.init(at: path, operations: SystemFiles()) }

    /// Creates a file of another file system.
    package init(at path: String, operations: any FileOperations) {
        self.path = path
        files = RetryingFiles(operations: operations)
    }

    /// The bytes of the file, or `nil` if there is none. Throws an error of opening or reading.
    package func read() throws(EventLogError) -> [UInt8]? {
        do throws(EventLogError) {
            let file = try OwnedFile(at: path, for: .reading, files: files)
            return try file.read(at: 0, count: Int(clamping: try file.status().size))
        } catch .noSuchLog {
            return nil
        }
    }

    /// Replaces the bytes; they are on the disk when the call returns.
    ///
    /// Costs two syncs. If it throws, the file has its old bytes or the new ones.
    package func replace(with bytes: [UInt8]) throws(EventLogError) {
        let next = try OwnedFile.replacing("\(path).new", files: files)
        try next.doing(.write) { () throws(SystemError) in try next.append(bytes) }
        try next.doing(.sync) { () throws(SystemError) in _ = try next.sync() }
        try next.doing(.write) { () throws(SystemError) in
            try files.renameFile(at: next.path, to: path)
            try next.syncFolder()
        }
    }
}
