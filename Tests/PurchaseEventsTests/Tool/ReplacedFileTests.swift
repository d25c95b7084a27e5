import Foundation
import Testing

@testable import replay

/// Files that the tool writes as a whole, on the disk.
struct ReplacedFileTests {
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
        #expect(throws: SystemProblem(code: ENOENT)) { try host.names(in: "\(folder.path)/a") }
        #expect(try names.isEmpty)
    }

    @Test func `a file that is written in portions is in place only when it is whole`() throws {
        let path = "\(folder.path)/state"
        try folder.write("before", to: path)
        func write(_ text: String, at offset: Int, _ file: any ChangedFile) throws {
            try Array(text.utf8).withUnsafeBytes { try file.write($0, at: offset) }
        }
        do {
            let given = try host.beginReplacing(path)
            try write("given up", at: 0, given.file)
            // Another run can't write it at the same time.
            #expect(throws: SystemProblem(code: EWOULDBLOCK)) { try host.beginReplacing(path) }
        }
        #expect(try names == ["state"])
        let replacement = try host.beginReplacing(path)
        try write("after", at: 3, replacement.file)
        try write("and", at: 0, replacement.file)
        #expect(try folder.read(path) == "before")
        try replacement.commit()
        #expect(try folder.read(path) == "andafter")
        let changed = try host.change(path)
        try write("AND", at: 0, changed)
        try changed.cut(at: 4)
        try changed.sync()
        #expect(try folder.read(path) == "ANDa")
        let source = try host.open(path, from: 2)
        let bytes = try [UInt8](unsafeUninitializedCapacity: 8) { place, count in
            count = try source.read(into: UnsafeMutableRawBufferPointer(place))
        }
        #expect(bytes == Array("Da".utf8))
        #expect(try names == ["state"])
    }

    @Test func `a file with two names, a link or a folder is never written in portions`() throws {
        let (file, other) = ("\(folder.path)/file", "\(folder.path)/other")
        try folder.write("kept", to: file)
        try FileManager.default.linkItem(atPath: file, toPath: other)
        #expect(throws: SystemProblem(code: EEXIST)) { try host.change(file) }
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/new.part", withIntermediateDirectories: false)
        #expect(throws: SystemProblem(code: EISDIR)) {
            try host.beginReplacing("\(folder.path)/new")
        }
        // What another user laid there as a link to the file.
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/page.part", withDestinationPath: file)
        #expect(throws: SystemProblem(code: ELOOP)) {
            try host.beginReplacing("\(folder.path)/page")
        }
        #expect(try folder.read(other) == "kept")
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
