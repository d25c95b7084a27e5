import Foundation
import TestSupport
import Testing

@testable import PurchaseEvents

struct WriterLockTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func create() throws -> EventLog {
        try EventLog.create(at: folder.log, recordedAt: LogSamples.now)
    }

    @Test func `a second writer in this process is refused with the holder's process id`() throws {
        let log = try create()
        let inUse = EventLogError.inUse(path: folder.log, processID: getpid())
        #expect(throws: inUse) { try EventLog.open(at: folder.log) }
        #expect(throws: inUse) { try create() }
        #expect(throws: inUse) {
            try EventLog.open(at: folder.log, tornTail: .cut(recordedAt: LogSamples.now))
        }
        try log.append(LogSamples.draft("a"))
        log.close()
        #expect(try EventLog.open(at: folder.log).append(LogSamples.draft("b")).seq == 3)
    }

    @Test func `a folder has one lock, whatever the path to it`() throws {
        let path = folder.path + "/log"
        let link = folder.path + "/link"
        let log = try EventLog.create(at: path, recordedAt: LogSamples.now, layout: .segments)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        for other in [path, path + "/", path + "/.", path + "/./", path + "/../log", link + "/."] {
            let inUse = EventLogError.inUse(path: other, processID: getpid())
            #expect(throws: inUse) { try EventLog.open(at: other) }
            #expect(throws: inUse) { try EventLog.inspect(at: other) }
            #expect(throws: inUse) {
                try EventLog.create(at: other, recordedAt: LogSamples.now, layout: .segments)
            }
        }
        for other in [link, link + "/"] {
            let refusal = EventLogError.notARegularFile(path: other, seen: .link)
            #expect(throws: refusal) { try EventLog.open(at: other) }
            #expect(throws: refusal) { try EventLog.inspect(at: other) }
            #expect(throws: refusal) {
                try EventLog.create(at: other, recordedAt: LogSamples.now, layout: .segments)
            }
        }
        log.close()
        #expect(try EventLog.open(at: path + "/.").append(LogSamples.draft("a")).seq == 2)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == ["link", "log", "log.lock"])
    }

    @Test func `a user who may only read the lock file can inspect the log`() throws {
        let files = MemoryFiles()
        let log = try LogSamples.create(in: files)
        let lock = try files.openFile(at: LogSamples.path + ".lock", for: .reading)
        try files.setReadOnly(lock)
        files.closeFile(lock)
        #expect(throws: EventLogError.inUse(path: LogSamples.path, processID: files.processID)) {
            try EventLog.inspect(at: LogSamples.path, operations: files)
        }
        log.close()
        #expect(try EventLog.inspect(at: LogSamples.path, operations: files).isSound)
    }

    @Test func `the lock file stays`() throws {
        try create().close()
        let note = try folder.read(folder.log + ".lock")
        #expect(note.hasPrefix("pid \(getpid()) "))
        #expect(note.utf8.count == 64)
    }

    // Processes can't be started on other platforms.
    #if os(macOS) || os(Linux)
        @Test func `a writer in another process holds the lock until it dies`() throws {
            try create().close()
            // A child that inherits only the locked file: when this process closes its own, only
            // the child holds the lock.
            let number = Foundation.open(folder.log + ".lock", O_RDWR)
            #expect(number >= 0)
            #expect(flock(number, LOCK_EX | LOCK_NB) == 0)
            let input = Pipe()
            let child = Process()
            child.executableURL = URL(fileURLWithPath: "/bin/cat")
            child.standardInput = input
            child.standardOutput = FileHandle(fileDescriptor: number)
            try child.run()
            let text = Array("pid \(child.processIdentifier)\n".utf8)
            ftruncate(number, 0)
            pwrite(number, text, text.count, 0)
            Foundation.close(number)
            #expect(
                throws: EventLogError.inUse(path: folder.log, processID: child.processIdentifier)
            ) { try EventLog.open(at: folder.log) }
            // The child may have inherited a mask that blocks other signals.
            kill(child.processIdentifier, SIGKILL)
            child.waitUntilExit()
            #expect(try EventLog.open(at: folder.log).append(LogSamples.draft("a")).seq == 2)
        }
    #endif

    @Test func `an unreadable lock file names no process`() throws {
        for text in ["", "pid", "pid x\n", "pid 99999999999\n", "\u{1B}[31m", "pid 1 2\n"] {
            let files = MemoryFiles()
            let log = try LogSamples.create(in: files)
            files[LogSamples.path + ".lock"] = Array(text.utf8)
            #expect(throws: EventLogError.inUse(path: LogSamples.path, processID: nil)) {
                try LogSamples.open(in: files)
            }
            log.close()
        }
    }

    @Test func `a disk too full for the note in the lock file doesn't matter`() throws {
        let files = LogSamples.files(LogSamples.opened)
        files.plan { call, _ in call == .append || call == .setSize ? .fail(ENOSPC) : nil }
        let log = try LogSamples.open(in: files)
        files.heal()
        #expect(try log.append(LogSamples.draft("a")).seq == 2)
    }
}
