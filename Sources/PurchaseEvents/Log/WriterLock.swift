/// The right to write to a log: an exclusive lock on a file beside it.
///
/// The operating system gives the lock back when its holder closes the file or dies, so nothing
/// stale can be left. The lock file itself stays for ever: removing it would let two writers hold
/// locks on two files of one name.
struct WriterLock: Sendable {
    private let holder: OwnedFile

    /// The lock file of a log.
    static func path(ofLog path: String) -> String { path + ".lock" }

    /// Takes the lock, or throws ``EventLogError/inUse(path:processID:)`` at once.
    ///
    /// It is held as long as this value or a copy of it lives.
    static func take(
        ofLog path: String, files: SteadyFiles
    ) throws(EventLogError) -> WriterLock {
        let file = try OwnedFile(at: WriterLock.path(ofLog: path), for: .locking, files: files)
        let isOurs = try file.doing(.lock) { () throws(SystemError) in
            try files.tryLock(file.file)
        }
        guard isOurs else {
            let text = try file.read(at: 0, count: 64)
            throw .inUse(path: path, processID: processID(in: text))
        }
        // The note helps a person; the lock is what counts. So a full disk, where there is no room
        // for the note, is no reason to refuse.
        try? file.setSize(0)
        try? file.append(Array("pid \(files.operations.processID)\n".utf8))
        return WriterLock(holder: file)
    }

    private static func processID(in text: [UInt8]) -> Int32? {
        let words = text.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        guard words.count == 2, words[0].elementsEqual("pid".utf8) else { return nil }
        return Int32(String(decoding: words[1], as: UTF8.self))
    }
}
