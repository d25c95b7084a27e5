import Foundation
import Testing

/// A process of the tool whose standard input, output or error its parent process closed.
struct ClosedDescriptorTests {
    /// Runs a command line of the shell, in which `$0` is the tool; returns its status.
    private func status(of line: String, in folder: TemporaryFolder) throws -> Int32 {
        let shell = try #require(SystemTool([URL(filePath: "/bin/sh")]))
        return try shell.run(["-c", line, ToolProcess.path], in: folder.path).status
    }

    /// What the files hold that the tool writes while it writes its output too.
    private func written(_ closed: String, _ folder: TemporaryFolder) throws -> [String] {
        let generate = #""$0" generate --seed=1 --events=100 --faults=all --plan=plan"#
        let isOutput = closed.split(separator: " ").contains(">&-")
        let generated = try status(of: "\(generate) \(closed)", in: folder)
        #expect(generated == (isOutput ? 74 : 0), "\(closed)")
        let checked = try status(of: #""$0" check --resume=state log \#(closed)"#, in: folder)
        #expect(checked == (isOutput ? 74 : 1), "\(closed)")
        let again = try status(of: #""$0" check --resume=state log"#, in: folder)
        #expect(again == 1, "the snapshot is whole, or there is none: \(closed)")
        return try ["plan", "log"].map { try folder.read("\(folder.path)/\($0)") }
    }

    @Test(
        .enabled(if: ToolProcess.isBuilt, "the tool is not built"),
        arguments: ["<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", "<&- >&- 2>&-"])
    func `what is written to a closed descriptor is never written into a file`(
        _ closed: String
    ) throws {
        let folder = try TemporaryFolder()
        let log = #""$0" generate --seed=1 --events=100 --faults=all --plan=plan >log"#
        #expect(try status(of: log, in: folder) == 0)
        let expected = try ["plan", "log"].map { try folder.read("\(folder.path)/\($0)") }
        #expect(try written(closed, folder) == expected)
    }

    @Test(.enabled(if: ToolProcess.isBuilt, "the tool is not built"))
    func `a closed standard input can't be read`() throws {
        #expect(try status(of: #""$0" check - <&-"#, in: try TemporaryFolder()) == 74)
    }
}
