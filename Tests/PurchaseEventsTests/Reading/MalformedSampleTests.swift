import Foundation
import PurchaseEvents
import Testing

/// Each sample in events/malformed shows only the diagnostic that it is named after.
struct MalformedSampleTests {
    private static let folder = Folders.events.appending(path: "malformed")

    @Test func `every diagnostic has a sample`() {
        let names = Folders.files(in: MalformedSampleTests.folder, "jsonl").map {
            $0.deletingPathExtension().lastPathComponent
        }
        #expect(names == DiagnosticCode.allCases.map(\.rawValue).sorted())
    }

    @Test(arguments: DiagnosticCode.allCases)
    func `a sample shows only its own diagnostic`(_ code: DiagnosticCode) throws {
        let file = MalformedSampleTests.folder.appending(path: "\(code.rawValue).jsonl")
        let reader = LogReader()
        var (errors, notes): ([DiagnosticCode], [DiagnosticCode]) = ([], [])
        try reader.read(MemorySource(try Folders.bytes(of: file))) { line in
            if case .notUnderstood(let diagnostic) = line.decoded { errors.append(diagnostic.code) }
            notes += line.notes.map(\.code)
            return true
        }
        #expect(reader.counts.events >= 3)
        #expect(reader.counts.addUp)
        if code.level == .error {
            #expect(errors == [code])
            // Without its first line, a log starts in the middle.
            #expect(notes == (code == .newerSchema ? [.notOpened] : []))
        } else {
            #expect(errors.isEmpty)
            #expect(notes == [code])
            #expect(reader.counts.blank == (code == .blankLine ? 1 : 0))
        }
    }
}
