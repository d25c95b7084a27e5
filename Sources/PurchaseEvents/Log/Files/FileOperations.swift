/// Every file operation of the log, one system call each, so that tests can replace the disk.
///
/// An implementation behaves as the operating system does: a call may be interrupted (`EINTR`), and
/// may read or write fewer bytes than requested. ``RetryingFiles`` handles both.
package protocol FileOperations: Sendable {
    /// The id of this process, which a writer stores in its lock file.
    var processID: Int32 { get }

    /// Opens a file without following a link and without waiting for a pipe's other end.
    func openFile(at path: String, for access: FileAccess) throws(SystemError) -> OpenFile
    /// The file's kind, size, number of names, and whether it is read-only.
    func status(of file: OpenFile) throws(SystemError) -> FileStatus
    /// Reads at an offset and returns the number of bytes, 0 at the end of the file.
    func readBytes(
        of file: OpenFile, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int
    /// Writes at the end of the file and returns the number of bytes written.
    func appendBytes(_ bytes: UnsafeRawBufferPointer, to file: OpenFile) throws(SystemError) -> Int
    /// Overwrites bytes of a file that isn't opened for appending; returns their number.
    func overwriteBytes(
        _ bytes: UnsafeRawBufferPointer, of file: OpenFile, at offset: Int64
    ) throws(SystemError) -> Int
    func setSize(of file: OpenFile, to size: Int64) throws(SystemError)
    /// Syncs the file's bytes and size to the disk.
    func syncFile(_ file: OpenFile) throws(SystemError) -> SyncStrength
    /// Syncs the names in a folder to the disk.
    func syncFolder(at path: String) throws(SystemError)
    /// Makes a folder that only its owner can access.
    func makeFolder(at path: String) throws(SystemError)
    /// The names in a folder, in any order.
    func names(inFolder path: String) throws(SystemError) -> [String]
    /// The absolute path of a folder, without links, `.` or `..`.
    func realPath(ofFolder path: String) throws(SystemError) -> String
    /// Renames a file within its folder, and replaces any file of the new name.
    func renameFile(at path: String, to newPath: String) throws(SystemError)
    /// Makes the file read-only for everyone.
    func setReadOnly(_ file: OpenFile) throws(SystemError)
    /// Takes the exclusive lock of a file; returns `false` at once if it is already held.
    func tryLock(_ file: OpenFile) throws(SystemError) -> Bool
    /// Closes a file and releases its lock; what had to reach the disk was synced before.
    func closeFile(_ file: OpenFile)
}

package enum FileAccess: Hashable, Sendable {
    /// Reading an existing file.
    case reading
    /// Reading an existing file and writing at its end.
    case appending
    /// Reading a new file and writing at its end.
    case creating
    /// Reading and overwriting a file, which is created if needed.
    case locking
    /// Reading and overwriting an existing file.
    case rewriting
}

package struct OpenFile: Hashable, Sendable {
    package let number: Int32

    package init(number: Int32) { self.number = number }
}

package struct FileStatus: Hashable, Sendable {
    package var kind: FileKind
    package var size: Int64
    /// The number of names; 0 if the file was removed while open.
    package var links: Int
    /// Whether the owner lacks permission to open the file for writing.
    package var isReadOnly: Bool

    package init(kind: FileKind, size: Int64, links: Int, isReadOnly: Bool) {
        self.kind = kind
        self.size = size
        self.links = links
        self.isReadOnly = isReadOnly
    }
}

/// The kind of file at a path.
public enum FileKind: String, Hashable, Sendable {
    /// A regular file.
    case regular = "a regular file"
    /// A folder.
    case folder = "a folder"
    /// A symbolic link.
    case link = "a symbolic link"
    /// A pipe, a device or another special file.
    case other = "neither a regular file nor a folder"
}

/// How far a sync reached.
public enum SyncStrength: Hashable, Sendable {
    /// To the disk, through the drive's cache.
    case throughCache
    /// To the drive, which may still cache the bytes; the file system can do no more.
    case toDrive
}
