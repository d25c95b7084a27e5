/// Every file operation of the log, one system call each, so that tests can stand in for the disk.
///
/// An implementation answers as the operating system does: it may be interrupted (`EINTR`), and
/// it may read or write fewer bytes than asked. ``SteadyFiles`` deals with both, in one place.
package protocol FileOperations: Sendable {
    /// The number of this process, which a writer leaves in its lock file.
    var processID: Int32 { get }

    /// Opens a file without following a link and without waiting for the other end of a pipe.
    func openFile(at path: String, for access: FileAccess) throws(SystemError) -> OpenFile
    /// What kind of file it is, how long, how many names it has, and whether it is read-only.
    func status(of file: OpenFile) throws(SystemError) -> FileStatus
    /// Reads at a position; answers how many bytes, 0 at the end of the file.
    func readBytes(
        of file: OpenFile, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int
    /// Writes at the end of the file; answers how many bytes.
    func appendBytes(
        _ bytes: UnsafeRawBufferPointer, to file: OpenFile
    ) throws(SystemError) -> Int
    /// Writes over what is in a file, not opened for appending; answers how many bytes.
    func overwriteBytes(
        _ bytes: UnsafeRawBufferPointer, of file: OpenFile, at offset: Int64
    ) throws(SystemError) -> Int
    /// Cuts the file to a size.
    func setSize(of file: OpenFile, to size: Int64) throws(SystemError)
    /// Returns when the file's bytes and size are on the disk.
    func syncFile(_ file: OpenFile) throws(SystemError) -> SyncStrength
    /// Returns when the names in a folder are on the disk.
    func syncFolder(at path: String) throws(SystemError)
    /// Makes a folder, for its owner alone.
    func makeFolder(at path: String) throws(SystemError)
    /// The names in a folder, in any order.
    func names(inFolder path: String) throws(SystemError) -> [String]
    /// The path of a folder that begins at the root, through no link and without `.` and `..`.
    func realPath(ofFolder path: String) throws(SystemError) -> String
    /// Gives a file another name in its folder, in place of the file that may have it.
    func renameFile(at path: String, to newPath: String) throws(SystemError)
    /// Lets nobody open the file for writing any more.
    func setReadOnly(_ file: OpenFile) throws(SystemError)
    /// Takes the exclusive lock of a file, or answers `false` at once where another has it.
    func tryLock(_ file: OpenFile) throws(SystemError) -> Bool
    /// Closes a file and gives back its lock. What close reports is of no use: what had to reach
    /// the disk was synced before.
    func closeFile(_ file: OpenFile)
}

/// What a file is opened for.
package enum FileAccess: Hashable, Sendable {
    /// Reading, where it exists.
    case reading
    /// Reading and writing at the end, where it exists.
    case appending
    /// Reading and writing at the end of a file that doesn't exist yet.
    case creating
    /// Reading and overwriting; created where it doesn't exist.
    case locking
    /// Reading and overwriting, where it exists.
    case rewriting
}

/// A file that is open, as the operating system numbers it.
package struct OpenFile: Hashable, Sendable {
    package let number: Int32

    package init(number: Int32) { self.number = number }
}

/// What is known of an open file.
package struct FileStatus: Hashable, Sendable {
    package var kind: FileKind
    /// In bytes.
    package var size: Int64
    /// The number of names it has; 0 where it was removed while it is open.
    package var links: Int
    /// Whether its owner may not open it for writing.
    package var isReadOnly: Bool

    package init(kind: FileKind, size: Int64, links: Int, isReadOnly: Bool) {
        self.kind = kind
        self.size = size
        self.links = links
        self.isReadOnly = isReadOnly
    }
}

/// What a path leads to.
public enum FileKind: String, Hashable, Sendable {
    case regular = "a regular file"
    case folder = "a folder"
    case link = "a symbolic link"
    case other = "neither a regular file nor a folder"
}

/// How far a sync went.
public enum SyncStrength: Hashable, Sendable {
    /// Onto the disk, through its cache.
    case throughCache
    /// To the drive, which may hold it in its cache: the file system can do no more.
    case toDrive
}
