import TestSigning
import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// The stories of the importer, `Imports/NAME.stories`: documents with all that they state.
///
/// Each line is a document, in the language of ``StoryDocument``; all are imported together, each
/// from a file of its own, but one after `& ` from the next lines of the file before.
/// `secret: TEXT` and `recordedAt: TIME` are options. The lines of the log follow after `= `: their
/// type and time, and the other keys without quotes; a midnight is its day, `#1` stands for the
/// first name that is a hash, and an opening that names only the app is left out. Remarks follow
/// after `! `, and what was counted after `> `. `UPDATE_GOLDEN=1` writes all anew.
struct ImportStoryTests {
    @Test(arguments: StoryFile.all(in: "Imports"))
    func `documents state what their story shows`(_ file: StoryFile) async throws {
        for (told, played) in try await file.played(ImportStoryTests.played) {
            #expect(told == played, "\(file): \(told[0])\n\(played.joined(separator: "\n"))")
            #expect(told.count > 2, "\(file): \(told[0])")
        }
    }

    private static func played(_ told: [String]) throws -> [String] {
        var (secret, recordedAt) = (String?.none, String?.none)
        var files: [ImportFile] = []
        for line in told {
            if let option = line.wholeMatch(of: /secret: (.+)/) {
                secret = String(option.1)
            } else if let option = line.wholeMatch(of: /recordedAt: (.+)/) {
                recordedAt = String(option.1)
            } else {
                let isMore = line.hasPrefix("& ")
                let text = try StoryDocument.text(
                    isMore ? String(line.dropFirst(2)) : line, jws: unsignedJWS(_:))
                if isMore, let last = files.popLast() {
                    files.append(
                        ImportFile(name: last.name, bytes: last.bytes + Array("\n\(text)".utf8)))
                } else {
                    files.append(ImportFile("\(files.count)", text))
                }
            }
        }
        let result = try imported(files, secret: secret, recordedAt: recordedAt) {
            $0.verifies = false
        }
        return told + shown(result)
    }

    private static func shown(_ result: ImportResult) -> [String] {
        var names: [String] = []
        let lines = result.text.split(separator: "\n").map { line in
            line.replacing("T00:00:00.000Z", with: "").replacing("\"", with: "")
                .replacing(/^{seq:\d+,at:([^,]+),type:([\w.]+),?(.*)}/) {
                    "\($0.2) \($0.1) \($0.3)"
                }.replacing(/[0-9a-f]{32}/) { name in
                    if !names.contains(String(name.0)) { names.append(String(name.0)) }
                    return "#\((names.firstIndex(of: String(name.0)) ?? 0) + 1)"
                }
        }.filter { $0.firstMatch(of: /log.opened \S+ schema:1,app:com.example.app,writer/) == nil }
        return lines.map { "= \($0)" } + result.printed.map { "! \($0)" }
            + (result.tally == ImportTally()
                ? [] : ["> \(counts(result.tally).joined(separator: "; "))"])
    }

    private static func counts(_ tally: ImportTally) -> [String] {
        tally.kinds.map { "\($1) \($0.rawValue)" }.sorted()
            + tally.signatures.map { "\($1) \($0.rawValue)" }.sorted()
            + tally.unplaced.map { "\($1) \($0.thing) of \($0.kind) left out" }.sorted()
            + (tally.repeated > 0 ? ["\(tally.repeated) repeated"] : [])
    }

    /// The lines of all stories.
    private static func documents() throws -> [String] {
        try StoryFile.all(in: "Imports").flatMap { try $0.stories() }.flatMap(\.lines)
    }

    @Test func `signed by keys of the tests' own, documents state the same`() throws {
        var options = ImportOptions()
        options.roots = try TestChain.payload.roots
        let documents = try ImportStoryTests.documents().filter { line in
            ["v2 ", "page ", "info "].contains { line.hasPrefix($0) }
        }
        #expect(documents.count > 40)
        let step = Effort.of(whole: 1, part: 9)
        for place in stride(from: 0, to: documents.count, by: step) {
            let line = documents[place]
            let plain = try importedUnverified(StoryDocument.text(line, jws: unsignedJWS(_:)))
            var text = try StoryDocument.text(line) { TestChain.payload.jws($0) }
            if line.hasPrefix("v2") {
                text = (["signedPayload": TestChain.payload.jws(text)] as Payload).json
            }
            let file = ImportFile("0.json", text)
            let result = AppStoreImporter().log(of: [file], options: options)
            let said = try plain.said().map { $0.replacing("unchecked", with: "valid") }
            #expect(try result.said() == said, "\(line)")
            let count = plain.tally.signatures[.unchecked] ?? 0
            #expect(count > 0 && result.tally.signatures == [.valid: count], "\(line)")
        }
    }

    @Test func `every type of notification has a story`() throws {
        let told = try Set(
            ImportStoryTests.documents().map {
                $0.split(separator: " ").prefix(2).joined(separator: " ")
            })
        #expect(
            told.isSuperset(of: ServerNotification.Kind.allCases.map { "v2 \($0.rawValue)" }))
        #expect(
            told.isSuperset(of: StatusUpdateNotification.Kind.allCases.map { "v1 \($0.rawValue)" }))
    }
}
