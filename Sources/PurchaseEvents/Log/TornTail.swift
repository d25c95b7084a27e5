/// Cuts a torn tail off a log, so that nothing of it is lost whatever fails on the way.
///
/// The bytes are kept and synced beside the log first, and only then cut: after a crash in between
/// the tail is still there, and cutting it again comes to the same.
enum TornTail {
    /// How many files beside a log are tried for one tail; only interrupted attempts leave any.
    private static let nameLimit = 1_000
    private static let chunk = 64 * 1_024

    static func cut(_ tail: LogTail, off source: OwnedFile) throws(EventLogError) -> CutTail {
        let path = try keep(tail, of: source)
        try source.doing(.cut) { () throws(SystemError) in
            try source.setSize(tail.position.offset)
        }
        try source.doing(.sync) { () throws(SystemError) in _ = try source.sync() }
        return CutTail(tail: tail, path: path)
    }

    /// Copies the tail to a new file, unless one beside the log holds the same bytes already.
    private static func keep(
        _ tail: LogTail, of source: OwnedFile
    ) throws(EventLogError) -> String {
        for attempt in 1...nameLimit {
            let suffix = attempt == 1 ? "" : "-\(attempt)"
            let path = "\(source.path).tail-\(tail.position.offset)\(suffix)"
            let copy: OwnedFile
            do throws(EventLogError) {
                copy = try OwnedFile(at: path, for: .creating, files: source.files)
            } catch .alreadyExists {
                if try holdsTail(path, tail, of: source) { return path }
                continue
            }
            try write(tail, of: source, to: copy)
            return path
        }
        throw .alreadyExists(path: "\(source.path).tail-\(tail.position.offset)")
    }

    private static func write(
        _ tail: LogTail, of source: OwnedFile, to copy: OwnedFile
    ) throws(EventLogError) {
        try eachChunk(of: tail, of: source) { (bytes, _) throws(EventLogError) in
            try copy.doing(.write) { () throws(SystemError) in try copy.append(bytes) }
        }
        try sync(copy)
    }

    private static func sync(_ copy: OwnedFile) throws(EventLogError) {
        try copy.doing(.sync) { () throws(SystemError) in
            _ = try copy.sync()
            try copy.syncFolder()
        }
    }

    /// Whether an earlier attempt left a whole copy; if so, it is synced now, for it may not
    /// have been.
    private static func holdsTail(
        _ path: String, _ tail: LogTail, of source: OwnedFile
    ) throws(EventLogError) -> Bool {
        let copy: OwnedFile
        do throws(EventLogError) {
            copy = try OwnedFile(at: path, for: .appending, files: source.files)
        } catch .notARegularFile {
            return false
        }
        guard try copy.status().size == tail.length else { return false }
        var isSame = true
        try eachChunk(of: tail, of: source) { (bytes, offset) throws(EventLogError) in
            if isSame { isSame = try copy.read(at: offset, count: bytes.count) == bytes }
        }
        if isSame { try sync(copy) }
        return isSame
    }

    private static func eachChunk(
        of tail: LogTail, of source: OwnedFile,
        _ body: (_ bytes: [UInt8], _ offset: Int64) throws(EventLogError) -> Void
    ) throws(EventLogError) {
        var offset: Int64 = 0
        while offset < tail.length {
            let bytes = try source.read(
                at: tail.position.offset + offset,
                count: Int(min(Int64(chunk), tail.length - offset)))
            guard !bytes.isEmpty else {
                throw .shrank(
                    path: source.path, read: tail.position.offset + tail.length,
                    size: tail.position.offset + offset)
            }
            try body(bytes, offset)
            offset += Int64(bytes.count)
        }
    }
}
