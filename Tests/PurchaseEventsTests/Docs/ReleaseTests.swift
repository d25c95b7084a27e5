import Foundation
import Testing

@testable import replay

/// The version is the same wherever it is named, and a release has what the tool is.
struct ReleaseTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Folders.root.appending(path: path), encoding: .utf8)
    }

    @Test func `every file names the version of the tool`() throws {
        let version = Tool.version
        let formula = try ReleaseTests.text("Formula/replay.rb")
        let readme = try ReleaseTests.text("README.md")
        #expect(try ReleaseTests.text("CHANGELOG.md").contains("\n## \(version)\n"))
        #expect(readme.contains("from: \"\(version)\""))
        #expect(readme.contains("uses: OWNER/purchase-events@\(version)"))
        #expect(formula.contains("version \"\(version)\""))
        for system in ["macos-universal", "linux-x86_64", "linux-aarch64"] {
            let name = "/\(version)/replay-\(version)-\(system).tar.gz"
            #expect(formula.contains(name), "\(name)")
        }
    }

    @Test func `the workflows run the scripts that are here`() throws {
        let all = try ["ci", "release"].map { try ReleaseTests.text(".github/workflows/\($0).yml") }
            .joined()
        for script in [".ci/run", "Scripts/release", "Scripts/bundle"] {
            #expect(all.contains(script))
            #expect(
                FileManager.default.isExecutableFile(
                    atPath: Folders.root.appending(path: script).path(percentEncoded: false)))
        }
    }

    @Test func `the first screen of the README fits 40 lines`() throws {
        let lines = try ReleaseTests.text("README.md").split(
            separator: "\n", omittingEmptySubsequences: false)
        let table = try #require(lines.lastIndex { $0.hasPrefix("| on GitHub |") })
        #expect(table < 40)
    }
}
