import Foundation
import Testing

@testable import PurchaseEvents

struct SystemFilesTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a log on the disk is accessible to its owner only`() throws {
        let log = try EventLog.create(at: folder.log, app: "a", recordedAt: LogSamples.now)
        try log.append([LogSamples.draft("a", id: "x"), LogSamples.draft("b")])
        log.close()
        let mode = try FileManager.default.attributesOfItem(atPath: folder.log)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let again = try EventLog.open(at: folder.log)
        #expect(again.openingReport.events == 3)
        let reader = try EventReader(at: folder.log, fromSeq: 3)
        #expect(LogSamples.texts(try LogSamples.entries(reader)) == ["3 b"])
        #expect(try again.append(LogSamples.draft("a", id: "x")).outcome == .alreadyThere)
        #expect(try LogSamples.texts(of: again) == ["1 log.opened", "2 a", "3 b"])
    }

    @Test func `overwriting replaces bytes in place and adds none`() throws {
        try folder.write("abcdef", to: folder.log)
        let files = RetryingFiles(operations: SystemFiles())
        let file = try OwnedFile(at: folder.log, for: .rewriting, files: files)
        try files.overwrite(file.file, at: 2, with: Array("XY".utf8))
        #expect(try folder.read(folder.log) == "abXYef")
        #expect(throws: EventLogError.noSuchLog(path: folder.log + "2")) {
            try OwnedFile(at: folder.log + "2", for: .rewriting, files: files)
        }
    }

    @Test func `a torn tail on the disk is kept and cut`() throws {
        try folder.write(LogSamples.log("a") + "torn", to: folder.log)
        let log = try EventLog.open(at: folder.log, tornTail: .cut(recordedAt: LogSamples.now))
        let cut = try #require(log.openingReport.cuts.first)
        #expect(try folder.read(cut.path) == "torn")
        #expect(try folder.read(folder.log).hasPrefix(LogSamples.log("a")))
    }

    @Test func `links, folders, pipes and devices are refused without waiting`() throws {
        try folder.write(LogSamples.opened, to: folder.log)
        let link = folder.path + "/link.jsonl"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.log)
        let pipe = folder.path + "/pipe.jsonl"
        #expect(mkfifo(pipe, 0o600) == 0)
        let cases: [(String, FileKind)] = [
            (link, .link), (folder.path, .folder), (pipe, .other), ("/dev/zero", .other),
        ]
        for (path, kind) in cases {
            let refusal = EventLogError.notARegularFile(path: path, seen: kind)
            #expect(throws: refusal) { try EventLog.open(at: path) }
            #expect(throws: refusal) { try EventReader(at: path) }
        }
    }

    @Test func `a missing folder is an error that names the path`() {
        let path = folder.path + "/none/app.jsonl"
        #expect(throws: EventLogError.noSuchLog(path: path)) { try EventLog.open(at: path) }
        #expect(throws: EventLogError.noSuchLog(path: path)) { try EventReader(at: path) }
        let error = #expect(throws: EventLogError.self) {
            try EventLog.create(at: path, recordedAt: LogSamples.now)
        }
        #expect(
            error?.description == "`\(path).lock`: can't open it: no such file or folder")
    }

    @Test func `a removed log accepts no more events`() throws {
        let log = try EventLog.create(
            at: folder.log, recordedAt: LogSamples.now, chained: false)
        try FileManager.default.removeItem(atPath: folder.log)
        let size = Int64(LogSamples.opened.utf8.count)
        #expect(
            throws: EventLogError.changedOutside(path: folder.log, expected: size, seen: nil)
        ) { try log.append(LogSamples.draft("a")) }
    }

    @Test func `an open log stays in place when the working folder changes`() throws {
        // As if this had been the working folder when the files were created.
        let start = try #require(WorkingFolder(at: folder.path))
        let files = SystemFiles(from: start)
        let log = try LogSamples.create(in: files, at: "app.jsonl")
        try log.append(LogSamples.draft("a"))
        #expect(try folder.read(folder.log) == LogSamples.log("a"))
        #expect(try LogSamples.texts(of: log) == ["1 log.opened", "2 a"])
        let inUse = EventLogError.inUse(path: "app.jsonl", processID: getpid())
        #expect(throws: inUse) { try LogSamples.open(in: files, at: "app.jsonl") }
        let segments = try LogSamples.create(in: files, at: "log", layout: .segments(size: 1))
        try segments.append(LogSamples.draft("a"))
        #expect(throws: EventLogError.inUse(path: "log/.", processID: getpid())) {
            try LogSamples.open(in: files, at: "log/.")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/log")
        #expect(names.count == 2)
        #expect(start.resolve("/a") == "/a" && start.resolve("") == "")
        #expect(WorkingFolder()?.resolve("a") == "a")
    }

    @Test func `the folder is synced for paths with and without a folder`() throws {
        let files = RetryingFiles(operations: SystemFiles())
        try files.syncFolder(of: folder.log)
        try files.syncFolder(of: "app.jsonl")
        try files.syncFolder(of: "/app.jsonl")
        #expect(throws: SystemError(code: ENOENT)) {
            try files.syncFolder(of: folder.path + "/none/app.jsonl")
        }
    }
}
