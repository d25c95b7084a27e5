import Foundation
import Testing

@testable import replay

/// The shell command of `shrink --check`, run by the system's shell.
struct ShellCommandTests {
    private let host = SystemHost()

    @Test(arguments: [
        ("true", true), ("false", false), ("grep -q 'a line'", true), ("grep -q absent", false),
        ("kill -KILL $$; true", false), ("if (", false), ("no-such-command-anywhere", false),
    ])
    func `only status 0 is a success`(_ command: String, _ expected: Bool) throws {
        let bytes = Array("a line\n".utf8)
        #expect(try host.succeeds(command, on: bytes, within: .seconds(60)) == expected)
    }

    @Test func `the file holds the bytes, only its owner can read it, and it is removed`() throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let (copy, path) = ("\(folder.path)/copy", "\(folder.path)/path")
        let command = """
            f() {
                test "$1" = "$0" && cp "$1" '\(copy)' && printf %s "$1" >'\(path)' &&
                    ls -l "$1" | grep -q '^-rw-------'
            }
            f
            """
        #expect(try host.succeeds(command, on: bytes, within: .seconds(60)) == true)
        #expect(try Data(contentsOf: URL(filePath: copy)) == Data(bytes))
        let used = try String(contentsOfFile: path, encoding: .utf8)
        #expect(used.hasSuffix(".jsonl"))
        #expect(!FileManager.default.fileExists(atPath: used))
    }

    @Test func `the command's standard input is empty`() throws {
        #expect(
            try host.succeeds("f() { ! read line; }; f", on: [], within: .seconds(60)) == true)
    }

    @Test func `a command that takes too long is ended, with all that it started`() throws {
        let folder = try TemporaryFolder()
        let (path, late) = ("\(folder.path)/path", "\(folder.path)/late")
        let command = "f() { printf %s \"$1\" >'\(path)'; (sleep 2; : >'\(late)') & sleep 90; }; f"
        let start = ContinuousClock.now
        #expect(try host.succeeds(command, on: [], within: .seconds(1)) == nil)
        // One that takes no notice of SIGTERM.
        let deaf = "trap '' TERM; f() { while :; do sleep 1; done; }; f"
        #expect(try host.succeeds(deaf, on: [], within: .milliseconds(100)) == nil)
        let used = try folder.read(path)
        #expect(used.hasSuffix(".jsonl") && !FileManager.default.fileExists(atPath: used))
        while ContinuousClock.now < start + .seconds(3.5) { usleep(50_000) }
        #expect(!FileManager.default.fileExists(atPath: late))
        #expect(ContinuousClock.now < start + .seconds(60))
    }
}
