import Foundation
import PurchaseEvents
import Testing

@testable import replay

struct RecoverRunTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a torn tail is told of, then cut off, and then there is none`() throws {
        let whole = LogSamples.log("a")
        try folder.write(whole + "half a li", to: folder.log)
        let dry = replay("recover", "--dry-run", folder.log)
        #expect(dry.status == .undetermined)
        #expect(
            dry.output
                == "\(folder.log):3: would cut off 9 bytes after byte 145, which no writer "
                + "acknowledged\n")
        #expect(try folder.read(folder.log) == whole + "half a li")
        let ran = replay("recover", folder.log)
        #expect(ran.status == .well)
        #expect(
            ran.output.hasPrefix(
                "\(folder.log):3: cut off 9 bytes, kept in \(folder.log).tail-145, SHA-256 "))
        #expect(try folder.read(folder.log + ".tail-145") == "half a li")
        let text = try folder.read(folder.log)
        #expect(text == whole + LogSamples.recovered(3, "half a li", "app.jsonl.tail-145"))
        let again = replay("recover", folder.log)
        #expect(again.output == "\(folder.log): 3 events, nothing to recover\n")
        #expect(again.status == .well)
        #expect(try folder.read(folder.log) == text)
        let check = replay("recover", "--dry-run", folder.log)
        #expect(check.status == .well)
    }

    @Test func `a document of the App Store isn't read line by line`() throws {
        let text = #"{"notification_type":"DID_RENEW","password":"x","unified_receipt":{}}"# + "\n"
        try folder.write(text, to: folder.log)
        for arguments in [["recover", folder.log], ["recover", "--dry-run", folder.log]] {
            let host = TestHost([folder.log: text])
            #expect(Tool.run(arguments, on: host) == .undetermined)
            #expect(host.output.isEmpty)
            #expect(
                host.error == "replay: \(folder.log) is a notification of version 1, not a log: "
                    + "`replay import app-store \(folder.log) | replay check -` makes a log of it "
                    + "and checks the log\n")
            #expect(try folder.read(folder.log) == text)
        }
    }

    @Test func `damage is told and left as it is`() throws {
        let text = LogSamples.opened + "?\n" + LogSamples.line(3, "b")
        try folder.write(text, to: folder.log)
        for arguments in [["recover", folder.log], ["recover", "--dry-run", folder.log]] {
            let host = TestHost()
            #expect(Tool.run(arguments, on: host) == .undetermined)
            #expect(host.output.hasPrefix("\(folder.log), line 2, byte 1: [not-json] "))
            #expect(try folder.read(folder.log) == text)
        }
    }

    @Test func `what else is wrong is told, with how much of the log is well`() throws {
        // Line 3 has a day that doesn't exist, and the line after it is missing.
        let third = LogSamples.line(3, "b").replacing("2026-02-20", with: "2026-02-31")
        let text = LogSamples.log("a") + third + LogSamples.line(5, "d")
        try folder.write(text, to: folder.log)
        for arguments in [["--dry-run"], [], []] {
            let host = TestHost()
            #expect(Tool.run(["recover"] + arguments + [folder.log], on: host) == .undetermined)
            let lines = host.output.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines.first?.hasPrefix("\(folder.log), line 3, byte 15: [bad-time] ") == true)
            #expect(lines.dropFirst().first == "\(folder.log), line 4: expected seq 4, seen 5")
            let contents = "3 events, 1 line not understood; 2 problems, left as they are"
            #expect(lines.last == "\(folder.log): \(contents)")
            #expect(try folder.read(folder.log) == text)
        }
        // A torn tail is cut off nevertheless.
        let torn = folder.path + "/torn.jsonl"
        try folder.write(text + "half a li", to: torn)
        let cut = replay("recover", torn)
        #expect(cut.status == .undetermined)
        #expect(cut.lines.count == 4)
        #expect(cut.output.hasPrefix("\(torn):5: cut off 9 bytes, kept in "))
    }

    @Test func `of many problems the first are told, and all are counted`() throws {
        try folder.write(
            LogSamples.opened + String(repeating: "\n", count: 2_500), to: folder.log)
        let ran = replay("recover", "--dry-run", folder.log)
        #expect(ran.status == .undetermined)
        #expect(ran.lines.count == RecoverCommand.problemLimit + 1)
        #expect(
            ran.lines.last
                == "\(folder.log): 1 event, 2,500 blank lines; 2,500 problems, left as they are, "
                + "the first 10 of them above")
    }

    @Test func `a file that is no log is told of and left as it is`() throws {
        let text = #"{"database":"prod"}"#
        try folder.write(text, to: folder.log)
        for arguments in [["--dry-run"], [], []] {
            let host = TestHost()
            #expect(Tool.run(["recover"] + arguments + [folder.log], on: host) == .undetermined)
            #expect(
                host.output
                    == "\(folder.log), line 1, byte 1: [not-opened] expected `log.opened` in the "
                    + "first line: damaged, but not by a crash; nothing was changed\n")
            #expect(try folder.read(folder.log) == text)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names == ["app.jsonl"])
    }

    @Test func `a torn first line is cut off, and it is told that nothing is left`() throws {
        let torn = String(LogSamples.opened.prefix(50))
        try folder.write(torn, to: folder.log)
        let dry = replay("recover", "--dry-run", folder.log)
        #expect(
            dry.output
                == "\(folder.log):1: would cut off 50 bytes after byte 0, which no writer "
                + "acknowledged\n\(folder.log): nothing of the log would be left\n")
        #expect(try folder.read(folder.log) == torn)
        let ran = replay("recover", folder.log)
        #expect(dry.status == .undetermined && ran.status == .undetermined)
        #expect(
            ran.lines.first?.hasPrefix(
                "\(folder.log):1: cut off 50 bytes, kept in \(folder.log).tail-0, SHA-256 ") == true
        )
        #expect(ran.lines.last == "\(folder.log): nothing of the log is left: create a new log")
        #expect(try folder.read(folder.log) == "")
        #expect(try folder.read(folder.log + ".tail-0") == torn)
        // An empty file is no longer a log, with or without --dry-run.
        for arguments in [["--dry-run"], []] {
            let host = TestHost()
            #expect(Tool.run(["recover"] + arguments + [folder.log], on: host) == .noInput)
            #expect(host.error.contains("create the log again"))
        }
    }

    @Test func `what is no log that can be recovered is told in clear words`() throws {
        #expect(replay("recover", folder.path + "/none.jsonl").status == .noInput)
        let logs = replay("recover", folder.path)
        #expect(logs.status == .noInput && logs.error.contains("is a folder without segments"))
        let log = try EventLog.create(at: folder.log, recordedAt: LogSamples.now)
        for option in [["--dry-run"], []] {
            let host = TestHost()
            #expect(Tool.run(["recover"] + option + [folder.log], on: host) == .ioFailed)
            #expect(host.error.contains("holding the log's lock"))
        }
        log.close()
    }

    @Test func `a folder of segments is one log for every command`() throws {
        let path = folder.path + "/segments"
        let log = try EventLog.create(
            at: path, recordedAt: LogSamples.now, layout: .segments(size: 500))
        for number in 0..<9 { try log.append(LogSamples.draft("\(number)")) }
        log.close()
        let host = TestHost()
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            host.files["segments/" + name] = Array(try folder.read(path + "/" + name).utf8)
        }
        #expect(host.files.count > 3)
        let stats = run(["stats", "--format=json", "segments"], host)
        #expect(stats.output.hasPrefix(#"{"events":10,"#))
        let check = run(["check", "segments/"], host)
        #expect(check.status == .well)
        #expect(check.error.contains("1 log, 10 lines: 10 events"))
        // Bytes after the place where the next segment begins were never acknowledged.
        let first = try #require(host.files.keys.sorted().first)
        host.files[first]?.append(contentsOf: Array("superseded\n".utf8))
        #expect(run(["stats", "--format=json", "segments"], host).output == stats.output)
        let recovered = replay("recover", path)
        #expect(recovered.output == "\(path): 10 events, nothing to recover\n")
        // A segment alone is not a log, and its lock is that of the folder.
        let alone = run(["recover", first], host)
        #expect(alone.status == .usage && alone.error.contains("recover its folder `segments`"))
        // Missing bytes are told as `check` tells them, and nothing is changed.
        let names = try folder.names(in: path)
        try folder.write("", to: "\(path)/\(names[1])")
        for option in [["--dry-run"], []] {
            let gap = replay(["recover", path] + option, on: TestHost())
            #expect(gap.status == .undetermined && gap.output.isEmpty)
            let end =
                "bytes are missing before \(names[2]): expected each segment to end where the next "
                + "one begins; nothing was changed\n"
            #expect(gap.error.hasPrefix("replay: \(path): ") && gap.error.hasSuffix(end))
        }
        try FileManager.default.removeItem(atPath: "\(path)/\(names[0])")
        #expect(replay("recover", path).error.contains("bytes are missing before \(names[1]):"))
        // A missing segment is reported.
        host.files[first] = nil
        let less = run(["check", "segments"], host)
        #expect(less.status == .undetermined)
        #expect(less.error.contains("bytes are missing before"))
        host.files["segments/other.jsonl"] = []
        #expect(run(["check", "segments"], host).status == .noInput)
    }

    /// Runs the tool on the same files, with empty output.
    private func run(_ arguments: [String], _ host: TestHost) -> Ran {
        let fresh = TestHost(bytes: host.files)
        return replay(arguments, on: fresh)
    }
}
