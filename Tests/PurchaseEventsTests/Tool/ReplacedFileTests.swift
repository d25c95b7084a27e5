import Foundation
import Testing

@testable import replay

/// Files that the tool writes as a whole, on the disk.
@Suite struct ReplacedFileTests {
    private let host = SystemHost()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func replace(_ path: String, with text: String) throws {
        try Array(text.utf8).withUnsafeBytes { try host.replace(path, with: $0) }
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
    }

    @Test func `a file is replaced as a whole, through a link too, and nothing else remains`()
        throws
    {
        let (path, link) = ("\(folder.path)/page", "\(folder.path)/link")
        try replace(path, with: "a longer text")
        try replace(path, with: "text")
        #expect(try folder.read(path) == "text")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try replace(link, with: "linked")
        #expect(try folder.read(path) == "linked")
        #expect(try names.sorted() == ["link", "page"])
    }

    @Test func `a file that can't be written leaves nothing behind`() throws {
        let path = "\(folder.path)/\(String(repeating: "n", count: 255))"
        #expect(throws: SystemProblem.self) { try replace(path, with: "text") }
        #expect(throws: SystemProblem.self) { try replace("\(folder.path)/a/b", with: "text") }
        #expect(try names.isEmpty)
    }

    @Test func `a file or a link that is there already is never opened`() throws {
        let (victim, link) = ("\(folder.path)/victim", "\(folder.path)/link")
        try folder.write("kept", to: victim)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: victim)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/nowhere", withDestinationPath: "\(folder.path)/new")
        for name in ["victim", "link", "nowhere"] {
            #expect(throws: SystemProblem(code: EEXIST)) {
                try SystemHost.createNew("\(folder.path)/\(name)")
            }
        }
        #expect(try folder.read(victim) == "kept")
        #expect(try names.sorted() == ["link", "nowhere", "victim"])
    }
}
