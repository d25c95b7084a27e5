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
}
