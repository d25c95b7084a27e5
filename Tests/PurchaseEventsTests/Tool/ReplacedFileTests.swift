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
        #expect(try folder.names == ["link", "page"])
    }

    @Test func `a file that can't be written leaves nothing behind`() throws {
        let path = "\(folder.path)/\(String(repeating: "n", count: 255))"
        #expect(throws: SystemProblem.self) { try replace(path, with: "text") }
        #expect(throws: SystemProblem.self) { try replace("\(folder.path)/a/b", with: "text") }
        #expect(throws: SystemProblem(code: ENOENT)) { try host.names(in: "\(folder.path)/a") }
        #expect(try folder.names.isEmpty)
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
        #expect(try folder.names == ["state"])
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
        #expect(try folder.names == ["state"])
    }

    @Test func `a file with two names is never changed, and a link beside a file never followed`()
        throws
    {
        let (file, other) = ("\(folder.path)/file", "\(folder.path)/other")
        try folder.write("kept", to: file)
        try FileManager.default.linkItem(atPath: file, toPath: other)
        #expect(throws: SystemProblem(code: EEXIST)) { try host.change(file) }
        // What another user laid there as links to the file, under names like those of the tool.
        let links = ["page.part", "page.0123456789abcdef.part"]
        for link in links {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder.path)/\(link)", withDestinationPath: file)
        }
        try host.beginReplacing("\(folder.path)/page").commit()
        #expect(try folder.read(other) == "kept")
        #expect(try folder.names == (["file", "other", "page"] + links).sorted())
    }

    @Test func `what a killed run left is removed, and nothing else`() throws {
        let left = ["state.0123456789abcdef.part", "state.fedcba9876543210.part"]
        let others = [
            "state.part", "state.jsonl.part", "state.0123456789abcde.part",
            "state.0123456789ABCDEF.part", "other.0123456789abcdef.part",
        ]
        for name in left + others { try folder.write(name, to: "\(folder.path)/\(name)") }
        let path = "\(folder.path)/state"
        var first: (any FileReplacement)? = try host.beginReplacing(path)
        let second = try host.beginReplacing(path)
        #expect(try folder.names.count == others.count + 2)
        try first?.commit()
        // The other run still uses the file that it made.
        #expect(throws: SystemProblem(code: EWOULDBLOCK)) { try second.commit() }
        first = nil
        try second.commit()
        #expect(try folder.names == (others + ["state"]).sorted())
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
        #expect(try folder.names == ["link", "nowhere", "victim"])
    }
}
