import Foundation
import PurchaseEvents
import PurchaseProjections
import Testing

@testable import replay

struct FollowRunTests {
    private let folder: TemporaryFolder
    private let log: String
    /// A log that breaks a rule in its last line, which is certain there: it names no device, so
    /// that the clock of another recorder matters nothing.
    private let text = ShrinkRunTests.log.replacingOccurrences(
        of: #""queue.finished","device":"phone""#, with: #""queue.finished""#)

    init() throws {
        folder = try TemporaryFolder()
        log = folder.log
    }

    private func follow(
        _ arguments: String..., on host: TestHost = TestHost()
    ) -> Ran {
        return replay(["check", "--follow"] + arguments, on: host)
    }

    /// The lines that `check` prints of the whole log.
    private func whole(_ arguments: String...) throws -> Ran {
        let host = TestHost()
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            // A folder has no contents.
            host.files["\(folder.path)/\(file)"] =
                FileManager.default.contents(atPath: "\(folder.path)/\(file)").map { Array($0) }
        }
        return replay(["check"] + arguments, on: host)
    }

    @Test func `a finding is printed as soon as its line is whole`() throws {
        let half = text.dropLast(20)
        try folder.write(String(half), to: log)
        let host = TestHost()
        var seen: [Bool] = []
        host.pauses = [
            { seen.append(!host.output.contains("finished-implies-delivered")) },
            { try? folder.append(text.utf8.suffix(20), to: log) },
            { seen.append(host.output.contains("finished-implies-delivered")) },
            {},
        ]
        let ran = follow("--format=json", log, on: host)
        #expect(seen == [true, true])
        #expect(host.holdsSignals)
        let expected = try whole("--format=json", log)
        #expect(ran.status == .violated && expected.status == .violated)
        #expect(Set(ran.lines) == Set(expected.lines))
        #expect(ran.lines.count == expected.lines.count)
        #expect(ran.error == expected.error)
    }

    @Test func `segments are followed, and each finding names its own`() throws {
        let parts = text.split(separator: "\n").map { "\($0)\n" }
        let segments = folder.path + "/log"
        try FileManager.default.createDirectory(
            atPath: segments, withIntermediateDirectories: true)
        var start: Int64 = 0
        func add(_ part: String) {
            try? folder.write(part, to: "\(segments)/\(SegmentName(start: start).text)")
            start += Int64(part.utf8.count)
        }
        add(parts[0])
        let host = TestHost()
        host.pauses = parts.dropFirst().map { part in { add(part) } }
        let ran = follow(segments, on: host)
        let expected = try whole(segments)
        #expect(Set(ran.lines) == Set(expected.lines) && !ran.lines.isEmpty)
        #expect(ran.output.contains(SegmentName(start: start - Int64(parts[4].utf8.count)).text))
        #expect(ran.status == expected.status && ran.error == expected.error)
    }

    @Test func `the end says what check says of a torn end, an empty and a blank log`() throws {
        for text in [String(text.dropLast(20)), String(text.dropLast()), "", "\n\n", "{}\n"] {
            try folder.write(text, to: log)
            let (ran, expected) = (follow(log), try whole(log))
            #expect(Set(ran.lines) == Set(expected.lines), "\(text)")
            #expect(ran.status == expected.status, "\(text)")
        }
    }

    @Test func `accounts, baselines, rules and verdicts work as in check`() throws {
        try folder.write(text, to: log)
        let known = folder.path + "/known.json"
        let json = try whole("--format=json", log).output
        try folder.write(json, to: known)
        let host = TestHost([known: json])
        let ran = follow("--baseline=\(known)", log, on: host)
        #expect(ran.status == .well && ran.output.isEmpty)
        #expect(ran.error.contains("known finding"))
        for option in [
            "--verbose", "--rule=finished-implies-delivered", "--format=github", "--strict",
            "--account=nobody", "--account=6f1c2b1e-3d47-4a90-8c55-2b7e90d1f3a8",
            "--max-findings=1",
        ] {
            let (ran, expected) = (follow(option, log), try whole(option, log))
            #expect(Set(ran.lines) == Set(expected.lines), "\(option)")
            #expect(ran.status == expected.status, "\(option)")
            #expect(ran.error == expected.error, "\(option)")
        }
    }

    @Test func `a log behind a link is followed`() throws {
        try folder.write(text, to: log)
        let link = folder.path + "/current"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: log)
        #expect(follow(link).output.hasPrefix("\(link):"))
        let host = TestHost()
        host.pauses = [
            {
                try? FileManager.default.removeItem(atPath: link)
                try? FileManager.default.createSymbolicLink(
                    atPath: link, withDestinationPath: folder.path + "/next.jsonl")
                try? folder.write("", to: folder.path + "/next.jsonl")
            }
        ]
        #expect(follow(link, on: host).status == .ioFailed)
    }

    @Test func `a log that was replaced, cut or removed is said, with status 74`() throws {
        let changes: [(words: String, change: () throws -> Void)] = [
            ("the log was replaced or rewritten", { try folder.write(text + "\n", to: log) }),
            ("shrank", { try folder.write("", to: log) }),
            ("no such file", { try FileManager.default.removeItem(atPath: log) }),
        ]
        for (words, change) in changes {
            try folder.write(text.replacingOccurrences(of: "4700", with: "4701"), to: log)
            let host = TestHost()
            host.pauses = [{ try? change() }]
            let ran = follow(log, on: host)
            #expect(ran.status == .ioFailed, "\(words)")
            #expect(ran.output.contains("finished-implies-delivered"), "\(words)")
            if words != "shrank" { #expect(ran.error.contains(words), "\(ran.error)") }
        }
    }

    @Test func `what can't be followed is refused`() throws {
        #expect(follow(log).status == .noInput)
        #expect(follow(folder.path).status == .noInput)
        #expect(follow("/dev/null").status == .noInput)
        try folder.write("SQLite format 3\u{0}", to: log)
        #expect(follow(log).status == .undetermined)
    }

    // MARK: The process

    @Test(
        .enabled(if: ToolProcess.isBuilt, "the tool is not built"), arguments: [SIGINT, SIGTERM])
    func `a signal ends it with the summary and the status`(number: Int32) throws {
        try folder.write("", to: log)
        let tool = try ToolProcess(["check", "--follow", log], in: folder)
        for line in text.split(separator: "\n") {
            try folder.append(line.utf8, to: log)
            try folder.append([0x0A], to: log)
        }
        try tool.wait { try !folder.read(tool.output).isEmpty }
        #expect(try folder.read(tool.output).contains("finished-implies-delivered"))
        #expect(tool.end(by: number) == .exit && tool.status == 1)
        #expect(try folder.read(tool.errors).contains("1 log, 5 lines: 5 events"))
    }
}
