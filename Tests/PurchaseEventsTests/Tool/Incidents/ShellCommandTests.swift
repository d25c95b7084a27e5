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
        #expect(try host.succeeds(command, on: Array("a line\n".utf8)) == expected)
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
        #expect(try host.succeeds(command, on: bytes))
        #expect(try Data(contentsOf: URL(filePath: copy)) == Data(bytes))
        let used = try String(contentsOfFile: path, encoding: .utf8)
        #expect(used.hasSuffix(".jsonl"))
        #expect(!FileManager.default.fileExists(atPath: used))
    }

    @Test func `the command's standard input is empty`() throws {
        #expect(try host.succeeds("f() { ! read line; }; f", on: []))
    }
}
