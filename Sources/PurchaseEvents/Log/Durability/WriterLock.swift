/// The right to write to a log: an exclusive lock on a file beside the log.
///
/// The operating system releases the lock when its holder closes the file or dies, so a lock is
/// never stale. The lock file is never removed: otherwise two writers could lock two files of the
/// same name. The file holds a note with the writer's process and its ``DurableMark``.
struct WriterLock: Sendable {
    private let holder: OwnedFile
    private let blank: [UInt8]
    /// The previous writer's durable mark, or `nil` if it is unreadable.
    let earlierMark: DurableMark?

    /// The path of the lock file of a log, whose path must end in the log's own name.
    static func path(ofLog path: String) -> String { LogBytes.trimmed(path) + ".lock" }

    var path: String { holder.path }

    /// Takes the lock without waiting; it is released when the last copy of the value goes away.
    static func take(ofLog path: String, files: RetryingFiles) throws(EventLogError) -> WriterLock {
        let name = WriterLock.path(ofLog: try LogBytes.resolved(path, files))
        let file = try OwnedFile(at: name, for: .locking, files: files)
        let lock = try WriterLock(locking: file, ofLog: path)
        // Only the lock counts; the note names the holder for a person. So a full disk, with no
        // room for the note, is no reason to refuse.
        try? lock.note(lock.earlierMark, syncing: false)
        return lock
    }

    /// Takes the lock if the lock file exists, without a note; opens the file for writing where
    /// possible, because some file systems lock only writable files.
    static func inspect(
        atLog path: String, files: RetryingFiles
    ) throws(EventLogError) -> WriterLock? {
        let name = WriterLock.path(ofLog: try LogBytes.resolved(path, files))
        do throws(EventLogError) {
            let file = try WriterLock.openForInspection(at: name, files)
            return try WriterLock(locking: file, ofLog: path)
        } catch .noSuchLog {
            return nil
        }
    }

    private static func openForInspection(
        at path: String, _ files: RetryingFiles
    ) throws(EventLogError) -> OwnedFile {
        do throws(EventLogError) {
            return try OwnedFile(at: path, for: .rewriting, files: files)
        } catch .failed(.open, _, let error) where error.isDenied || error == .readOnly {
            return try OwnedFile(at: path, for: .reading, files: files)
        }
    }

    /// Takes the lock on an open lock file, or throws without waiting and names the holder.
    private init(locking file: OwnedFile, ofLog path: String) throws(EventLogError) {
        let files = file.files
        let isOurs = try file.doing(.lock, files.retrying(files.operations.tryLock(file.file)))
        let note = WriterNote(try file.read(at: 0, count: WriterNote.length))
        guard isOurs else { throw .inUse(path: path, processID: note.processID) }
        holder = file
        blank = WriterNote.blank(files.operations.processID)
        earlierMark = note.mark
    }

    /// Writes the durable mark to the lock file; with `syncing`, it is then on the disk.
    func note(_ mark: DurableMark?, syncing: Bool) throws(SystemError) {
        var text = blank
        mark?.write(overEndOf: &text)
        try holder.files.overwrite(holder.file, with: text)
        if syncing { try holder.sync() }
    }
}

/// The content of a lock file: shorter than a disk sector, so never torn.
struct WriterNote {
    static let length = 64

    let processID: Int32?
    let mark: DurableMark?

    init(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .map { $0.split(separator: " ") }
        let first = lines.first ?? []
        processID = first.count == 2 && first[0] == "pid" ? Int32(first[1]) : nil
        mark = lines.count > 1 ? DurableMark(lines[1]) : nil
    }

    static func blank(_ processID: Int32) -> [UInt8] {
        let first = "pid \(processID)"
        let second = "\n\(DurableMark.none)"
        let room = length - first.utf8.count - second.utf8.count
        return Array((first + String(repeating: " ", count: max(0, room)) + second).utf8)
    }
}
