import Foundation
import Testing

@testable import replay

struct ManPageTests {
    private let page = replay("man").output

    @Test func `the man page is the golden one`() throws { try expectGolden(page, "Tool/replay.1") }

    @Test func `every command, option and exit status is in the man page`() {
        func roff(_ text: String) -> String { text.replacing("-", with: "\\-") }
        for command in CommandCatalogue.all {
            #expect(page.contains("\n.SS replay \(command.name)"))
            for option in command.allOptions {
                #expect(page.contains(roff("--\(option.name)")), "\(command.name) \(option.name)")
            }
        }
        for status in ToolStatus.allCases { #expect(page.contains("\n\\fB\(status.rawValue)\\fR")) }
        #expect(page.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test(.enabled("skipped where there is no groff") { SystemTool.isInstalled("groff") })
    func `groff formats the man page without a warning`() throws {
        let groff = try #require(SystemTool("groff"))
        let folder = try TemporaryFolder()
        try folder.write(page, to: folder.path + "/replay.1")
        let checked = try groff.run(["-man", "-Tutf8", "-ww", "-z", "replay.1"], in: folder.path)
        #expect(checked.status == 0 && checked.output.isEmpty, "\(checked.output)")
    }

    @Test(.enabled("skipped where there is no mandoc") { SystemTool.isInstalled("mandoc") })
    func `mandoc formats the man page without a warning but that it has no date`() throws {
        let mandoc = try #require(SystemTool("mandoc"))
        let folder = try TemporaryFolder()
        try folder.write(page, to: folder.path + "/replay.1")
        let checked = try mandoc.run(["-Tlint", "-Wwarning", "replay.1"], in: folder.path)
        let warnings = checked.output.split(separator: "\n")
        #expect(warnings.allSatisfy { $0.contains("missing date") }, "\(checked.output)")
    }
}
