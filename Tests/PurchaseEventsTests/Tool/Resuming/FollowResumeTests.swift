import Foundation
import PurchaseEvents
import Testing

@testable import replay

/// A followed log survives the restart of the tool.
struct FollowResumeTests {
    private let folder: TemporaryFolder
    private let log: String

    init() throws {
        folder = try TemporaryFolder()
        log = folder.log
    }

    /// Follows the log until a signal, with the file of the run before.
    private func follow(_ state: inout [UInt8]?, _ options: String...) -> Ran {
        let host = TestHost(bytes: ["state": state])
        let status = Tool.run(
            ["check", "--follow", "--format=json", "--resume=state", log] + options, on: host)
        state = host.files["state"]
        return Ran(status: status, output: host.output, error: host.error)
    }

    /// What a check of the whole log says.
    private func whole() throws -> Ran {
        let bytes = try Folders.bytes(of: URL(filePath: log))
        let host = TestHost(bytes: [log: bytes])
        return replay(["check", "--format=json", "--max-findings=0", log], on: host)
    }

    @Test(arguments: [1, 2, 5, 9])
    func `what was printed isn't printed again after a restart`(_ runs: Int) throws {
        for (path, bytes) in try TestHost.samples("violations").files.sorted(by: { $0.key < $1.key }
        )
        where path.utf8.count % 3 == 0 || runs == 2 {
            var state: [UInt8]?
            var printed: [String] = []
            var last = Ran(status: .well, output: "", error: "")
            for run in 1...runs {
                // Also within a line.
                try folder.write(
                    String(decoding: bytes[..<(bytes.count * run / runs)], as: UTF8.self), to: log)
                last = follow(&state)
                printed += last.lines
            }
            let expected = try whole()
            for line in expected.lines where line.contains("\"rule\"") {
                #expect(printed.count { $0 == line } == 1, "\(path): \(line)")
            }
            #expect(last.status == expected.status, "\(path)")
            #expect(last.error == expected.error, "\(path)")
        }
    }

    @Test func `nor after a run that ended within a line and so couldn't tell`() throws {
        let sample = "events/violations/granted-implies-owed.jsonl"
        let whole = try #require(TestHost.samples("violations").files[sample])
        let next = #"{"seq":3,"at":"2026-12-01T00:00:00.000Z","type":"log.noted","text":"a"}\#n"#
        let all = String(decoding: whole, as: UTF8.self)
        var (followed, checked): ([UInt8]?, [UInt8]?)
        var printed: [[String]] = [[], []]
        for text in [all, all + next.prefix(30), all + next] {
            try folder.write(text, to: log)
            printed[0] += follow(&followed).lines
            let host = TestHost(bytes: ["state": checked, log: Array(text.utf8)])
            printed[1] +=
                replay("check", "--format=json", "--resume=state", "--new", log, on: host).lines
            checked = host.files["state"]
        }
        for lines in printed {
            #expect(lines.count { $0.contains(#""rule":"granted-implies-owed""#) } == 1)
        }
    }

    @Test func `a log that was replaced is refused, and read from its start on demand`() throws {
        let text = ShrinkRunTests.log
        try folder.write(text, to: log)
        var state: [UInt8]?
        #expect(follow(&state).status == .violated)
        let before = state
        try folder.write(String(text.dropLast(100)), to: log)
        let refused = follow(&state)
        #expect(refused.status == .undetermined)
        #expect(refused.error.contains("--restart reads it from its start"))
        #expect(state == before)
        _ = follow(&state, "--restart")
        #expect(state != before)
    }

    // MARK: The process

    @Test(.enabled(if: ToolProcess.isBuilt, "the tool is not built"))
    func `a run that ends early leaves nothing behind, and one run at a time uses the file`() throws
    {
        try folder.write(ShrinkRunTests.log, to: log)
        let arguments = ["check", "--follow", "--resume=\(folder.path)/state", log]
        func begin() throws -> ToolProcess {
            let tool = try ToolProcess(arguments, in: folder)
            try tool.wait { try !folder.read(tool.output).isEmpty }
            return tool
        }
        func parts() throws -> Int { try folder.names.count { $0.hasSuffix(".part") } }
        // No run holds this signal.
        #expect(try begin().end(by: SIGPIPE) == .uncaughtSignal)
        #expect(try parts() == 0)
        try begin().end(by: SIGKILL)
        let last = try begin()
        #expect(try parts() == 1)
        #expect(last.end(by: SIGINT) == .exit && last.status == 1)
        #expect(try parts() == 0 && folder.names.contains("state"))
        let first = try ToolProcess(arguments, in: folder)
        try first.wait { try parts() == 1 }
        let second = try ToolProcess(arguments, in: try TemporaryFolder())
        #expect(second.end(by: 0) == .exit && second.status == 74)
        #expect(first.end(by: SIGTERM) == .exit && first.status == 1)
    }
}
