#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The right to write to a log: an exclusive lock on a file beside it.
///
/// The operating system gives the lock back when its holder closes the file or dies, so nothing
/// stale can be left. The lock file itself stays for ever: removing it would let two writers hold
/// locks on two files of one name. It holds a note: which process writes, and the ``DurableMark``.
struct WriterLock: Sendable {
    private let holder: OwnedFile
    /// A note of no mark.
    private let blank: [UInt8]
    /// What the writer before noted; `nil` where it can't be read.
    let earlierMark: DurableMark?

    /// The lock file of a log, whose own name ends the path.
    static func path(ofLog path: String) -> String {
        LogBytes.trimmed(path) + ".lock"
    }

    /// The path of the lock file.
    var path: String { holder.path }

    /// Takes the lock, or throws ``EventLogError/inUse(path:processID:)`` at once.
    ///
    /// It is held as long as this value or a copy of it lives.
    static func take(
        ofLog path: String, files: SteadyFiles
    ) throws(EventLogError) -> WriterLock {
        let name = WriterLock.path(ofLog: try LogBytes.named(path, files))
        let file = try OwnedFile(at: name, for: .locking, files: files)
        let lock = try WriterLock(locking: file, ofLog: path)
        // The note helps a person; the lock is what counts. So a full disk, where there is no room
        // for the note, is no reason to refuse.
        try? lock.note(lock.earlierMark, syncing: false)
        return lock
    }

    /// Takes the lock where there is a lock file, and notes nothing in it, so that it needn't be
    /// open for writing; some file systems lock no other.
    static func look(
        atLog path: String, files: SteadyFiles
    ) throws(EventLogError) -> WriterLock? {
        let name = WriterLock.path(ofLog: try LogBytes.named(path, files))
        do throws(EventLogError) {
            let file = try WriterLock.openToLook(at: name, files)
            return try WriterLock(locking: file, ofLog: path)
        } catch .noSuchLog {
            return nil
        }
    }

    private static func openToLook(
        at path: String, _ files: SteadyFiles
    ) throws(EventLogError) -> OwnedFile {
        do throws(EventLogError) {
            return try OwnedFile(at: path, for: .rewriting, files: files)
        } catch .failed(.open, _, let error) where error.isDenied || error.code == EROFS {
            return try OwnedFile(at: path, for: .reading, files: files)
        }
    }

    /// Takes the lock on a lock file, or throws at once; its holder is read from the file.
    private init(locking file: OwnedFile, ofLog path: String) throws(EventLogError) {
        let isOurs = try file.doing(.lock) { () throws(SystemError) in
            try file.files.tryLock(file.file)
        }
        let note = WriterNote(try file.read(at: 0, count: WriterNote.length))
        guard isOurs else { throw .inUse(path: path, processID: note.processID) }
        holder = file
        blank = WriterNote.blank(file.files.operations.processID)
        earlierMark = note.mark
    }

    /// Notes how far the log is safe; where it is synced, it is on the disk before what follows.
    func note(_ mark: DurableMark?, syncing: Bool) throws(SystemError) {
        var text = blank
        mark?.write(overEndOf: &text)
        try holder.files.overwrite(holder.file, with: text)
        if syncing { try holder.sync() }
    }
}

/// What a writer notes in its lock file: less than a sector, so that it is never torn.
struct WriterNote {
    /// Its length in bytes.
    static let length = 64

    /// The process that wrote it.
    let processID: Int32?
    /// How far the log was safe.
    let mark: DurableMark?

    /// Reads a note; what can't be read says nothing.
    init(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .map { $0.split(separator: " ") }
        let first = lines.first ?? []
        processID = first.count == 2 && first[0] == "pid" ? Int32(first[1]) : nil
        mark = lines.count > 1 ? DurableMark(lines[1]) : nil
    }

    /// The bytes of a note of no mark.
    static func blank(_ processID: Int32) -> [UInt8] {
        let first = "pid \(processID)"
        let second = "\n\(DurableMark.none)"
        let room = length - first.utf8.count - second.utf8.count
        return Array((first + String(repeating: " ", count: max(0, room)) + second).utf8)
    }
}
