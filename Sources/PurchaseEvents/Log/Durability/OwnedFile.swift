/// An open regular file, which is closed and unlocked when the last reference goes away.
final class OwnedFile: Sendable {
    let path: String
    let file: OpenFile
    let files: RetryingFiles

    /// Opens a file; refuses a file that isn't regular before reading a byte.
    init(at path: String, for access: FileAccess, files: RetryingFiles) throws(EventLogError) {
        let file: OpenFile
        do throws(SystemError) {
            file = try files.retrying(files.operations.openFile(at: path, for: access))
        } catch {
            throw OwnedFile.refusal(of: path, for: access, error)
        }
        // From here on `deinit` closes the file, even if an error is thrown.
        self.path = path
        self.file = file
        self.files = files
        let kind = try status().kind
        guard kind == .regular else { throw .notARegularFile(path: path, seen: kind) }
    }

    /// Creates an empty file, or empties the file that an interrupted attempt left.
    static func replacing(_ path: String, files: RetryingFiles) throws(EventLogError) -> OwnedFile {
        do throws(EventLogError) {
            return try OwnedFile(at: path, for: .creating, files: files)
        } catch .alreadyExists {
            let file = try OwnedFile(at: path, for: .appending, files: files)
            try file.doing(.cut, file.setSize(0))
            return file
        }
    }

    deinit { files.operations.closeFile(file) }

    private static func refusal(
        of path: String, for access: FileAccess, _ error: SystemError
    ) -> EventLogError {
        switch error {
        case .missing where access != .creating && access != .locking: .noSuchLog(path: path)
        case .exists: .alreadyExists(path: path)
        case .link: .notARegularFile(path: path, seen: .link)
        case .folder: .notARegularFile(path: path, seen: .folder)
        case .noDevice: .notARegularFile(path: path, seen: .other)
        default: .failed(.open, path: path, error)
        }
    }

    func status() throws(EventLogError) -> FileStatus {
        try doing(.read, files.retrying(files.operations.status(of: file)))
    }

    /// Reads a range of the file; the result is shorter only at the end of the file.
    func read(at offset: Int64, count: Int) throws(EventLogError) -> [UInt8] {
        try doing(.read, files.read(file, at: offset, count: count))
    }

    func append(_ bytes: [UInt8]) throws(SystemError) { try files.append(bytes, to: file) }

    func setSize(_ size: Int64) throws(SystemError) {
        try files.retrying(files.operations.setSize(of: file, to: size))
    }

    @discardableResult
    func sync() throws(SystemError) -> SyncStrength {
        try files.retrying(files.operations.syncFile(file))
    }

    func syncFolder() throws(SystemError) { try files.syncFolder(of: path) }

    /// Makes the file read-only as a safeguard, if the file system allows it.
    func setReadOnly() { try? files.retrying(files.operations.setReadOnly(file)) }

    /// Renames the file in place of any other file, and syncs the new name.
    func rename(to newPath: String, as act: FileAct) throws(EventLogError) {
        try doing(act, files.retrying(files.operations.renameFile(at: path, to: newPath)))
        try doing(act, syncFolder())
    }

    func eachChunk(
        _ range: Range<Int64>,
        _ body: (_ bytes: [UInt8], _ offset: Int64) throws(EventLogError) -> Void
    ) throws(EventLogError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let bytes = try read(at: offset, count: Int(min(1 << 18, range.upperBound - offset)))
            guard !bytes.isEmpty else {
                throw .shrank(path: path, read: range.upperBound, size: offset)
            }
            try body(bytes, offset)
            offset += Int64(bytes.count)
        }
    }

    @discardableResult
    func doing<Answer>(
        _ act: FileAct, _ call: @autoclosure () throws(SystemError) -> Answer
    ) throws(EventLogError) -> Answer {
        try files.doing(act, at: path, call())
    }
}
