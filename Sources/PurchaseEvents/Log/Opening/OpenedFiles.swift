/// The files of a log that is open for writing: its bytes, the file at its end, and its lock.
struct OpenedFiles {
    let store: LogBytes
    /// The file that is written to: the log, or its last segment.
    let tail: OwnedFile
    /// The bytes of the log before that file.
    let base: Int64
    let lock: WriterLock

    /// Opens what is there, and takes the lock.
    static func open(
        at path: String, operations: any FileOperations
    ) throws(EventLogError) -> OpenedFiles {
        let files = SteadyFiles(operations: operations)
        // The log first, so that opening one that doesn't exist leaves no lock file behind.
        let seen = try LogBytes(at: path, operations: operations)
        let lock = try WriterLock.take(ofLog: path, files: files)
        // Until the lock was ours, another writer may have begun a segment.
        try seen.reload()
        let last = seen.starts.count - 1
        let tail = try OwnedFile(at: seen.path(ofSegment: last), for: .appending, files: files)
        return OpenedFiles(store: seen, tail: tail, base: seen.starts[last], lock: lock)
    }

    /// Makes an empty log, under its lock; a file of 0 bytes, which a crash in the midst of
    /// creating leaves, is taken as none.
    static func create(
        at path: String, _ layout: LogLayout, operations: any FileOperations
    ) throws(EventLogError) -> OpenedFiles {
        let files = SteadyFiles(operations: operations)
        if case .segments = layout { try LogBytes.refuseLink(at: path, files) }
        let lock = try WriterLock.take(ofLog: path, files: files)
        var file = path
        if case .segments = layout {
            do throws(SystemError) {
                try files.makeFolder(at: path)
            } catch {
                throw .failed(.open, path: path, error)
            }
            let starts = try LogBytes.starts(in: path, files)
            guard starts.allSatisfy({ $0 == 0 }) else { throw .alreadyExists(path: path) }
            file = LogBytes.path(ofSegmentAt: 0, in: path)
        }
        let tail = try createFile(at: file, log: path, files: files)
        if lock.earlierMark != .safe(0) {
            // What a log of that name had on the disk says nothing of this one.
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
        at path: String, log: String, files: SteadyFiles
    ) throws(EventLogError) -> OwnedFile {
        do throws(EventLogError) {
            return try OwnedFile(at: path, for: .creating, files: files)
        } catch .alreadyExists {
            let source = try OwnedFile(at: path, for: .appending, files: files)
            guard try source.status().size == 0 else { throw .alreadyExists(path: log) }
            return source
        }
    }

    /// Makes durable what an earlier writer left: it is about to be taken for part of the log.
    ///
    /// What that writer didn't note as safe is written once more, the same bytes at the same place.
    /// The sync of it may have failed: then the system may show it and yet never write it, and say
    /// yes to every sync, until it is written anew. Costs nothing where the writer closed the log.
    func sync() throws(EventLogError) {
        if let mark = lock.earlierMark { try rewrite(from: mark.durable - base) }
        try tail.doing(.sync) { () throws(SystemError) in _ = try tail.sync() }
    }

    private func rewrite(from start: Int64) throws(EventLogError) {
        let size = try tail.status().size
        var offset = max(0, start)
        guard offset < size else { return }
        let file = try OwnedFile(at: tail.path, for: .rewriting, files: tail.files)
        while offset < size {
            let bytes = try file.read(at: offset, count: Int(min(1 << 18, size - offset)))
            guard !bytes.isEmpty else { throw .shrank(path: file.path, read: size, size: offset) }
            try file.doing(.write) { () throws(SystemError) in
                try file.files.overwrite(file.file, at: offset, with: bytes)
            }
            offset += Int64(bytes.count)
        }
    }

    /// Makes durable the names of the log's files and of its lock.
    func syncNames() throws(EventLogError) {
        try tail.doing(.sync) { () throws(SystemError) in
            try tail.syncFolder()
            if store.isFolder { try store.files.syncFolder(of: lock.path) }
        }
    }
}
