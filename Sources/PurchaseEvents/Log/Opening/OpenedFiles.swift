struct OpenedFiles {
    let store: LogBytes
    /// The file being written: the log itself, or its last segment.
    let tail: OwnedFile
    let base: Int64
    let lock: WriterLock

    static func open(
        at path: String, operations: any FileOperations
    ) throws(EventLogError) -> OpenedFiles {
        let files = RetryingFiles(operations: operations)
        // Open the log before the lock, so that a missing log leaves no lock file behind.
        let seen = try LogBytes(at: path, operations: operations)
        let lock = try WriterLock.take(ofLog: path, files: files)
        // Another writer may have started a segment before this writer got the lock.
        try seen.reload()
        let last = seen.starts.count - 1
        let tail = try OwnedFile(at: seen.path(ofSegment: last), for: .appending, files: files)
        return OpenedFiles(store: seen, tail: tail, base: seen.starts[last], lock: lock)
    }

    /// Creates an empty log under its lock; an empty file, left by a crash, counts as no file.
    static func create(
        at path: String, _ layout: LogLayout, operations: any FileOperations
    ) throws(EventLogError) -> OpenedFiles {
        let files = RetryingFiles(operations: operations)
        if case .segments = layout { try LogBytes.refuseLink(at: path, files) }
        let lock = try WriterLock.take(ofLog: path, files: files)
        var file = path
        if case .segments = layout {
            try files.doing(.open, at: path, files.makeFolder(at: path))
            let starts = try LogBytes.starts(in: path, files)
            guard starts.allSatisfy({ $0 == 0 }) else { throw .alreadyExists(path: path) }
            file = LogBytes.path(ofSegmentAt: 0, in: path)
        }
        let tail = try createFile(at: file, log: path, files: files)
        if lock.earlierMark != .safe(0) {
            // The mark of an earlier log of the same name says nothing about this log.
            do throws(SystemError) {
                try lock.note(.safe(0), syncing: lock.earlierMark != nil)
            } catch {
                if lock.earlierMark != nil { throw .failed(.write, path: lock.path, error) }
            }
        }
        let store = try LogBytes(at: path, operations: operations)
        return OpenedFiles(store: store, tail: tail, base: 0, lock: lock)
    }

    private static func createFile(
        at path: String, log: String, files: RetryingFiles
    ) throws(EventLogError) -> OwnedFile {
        do throws(EventLogError) {
            return try OwnedFile(at: path, for: .creating, files: files)
        } catch .alreadyExists {
            let source = try OwnedFile(at: path, for: .appending, files: files)
            guard try source.status().size == 0 else { throw .alreadyExists(path: log) }
            return source
        }
    }

    /// Makes the bytes that an earlier writer left durable, because this writer builds on them.
    ///
    /// Bytes that the earlier writer didn't mark as durable are written again in place. Their sync
    /// may have failed: the system may then show the bytes, never write them, and report success
    /// for every sync until they are rewritten. No byte is rewritten if the earlier writer closed
    /// the log.
    func sync() throws(EventLogError) {
        if let mark = lock.earlierMark { try rewrite(from: mark.durable - base) }
        try tail.doing(.sync, tail.sync())
    }

    private func rewrite(from start: Int64) throws(EventLogError) {
        let size = try tail.status().size
        let start = max(0, start)
        guard start < size else { return }
        let file = try OwnedFile(at: tail.path, for: .rewriting, files: tail.files)
        try file.eachChunk(start..<size) { (bytes, offset) throws(EventLogError) in
            try file.doing(.write, file.files.overwrite(file.file, at: offset, with: bytes))
        }
    }

    func syncNames() throws(EventLogError) {
        try tail.doing(.sync, tail.syncFolder())
        if store.isFolder { try tail.doing(.sync, tail.files.syncFolder(of: lock.path)) }
    }
}
