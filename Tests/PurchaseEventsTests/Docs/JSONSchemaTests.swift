import Foundation
import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing

@testable import replay

/// The JSON Schemas for programs are current, and what the tool prints has no other keys.
///
/// `Tests/schema` validates every sample and every printed line with another program.
struct JSONSchemaTests {
    private func expect(_ text: String, _ name: String) throws {
        let path = "docs/schema/\(name).schema.json"
        let golden = try GoldenFile.text(at: Folders.root.appending(path: path), for: text)
        #expect(golden == text, "\(path) isn't current: see CONTRIBUTING.md")
        #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
    }

    @Test func `the schemas of events, findings and verdicts are current`() throws {
        try expect(JSONSchema.event, "event")
        try expect(JSONSchema.finding, "finding")
        try expect(JSONSchema.verdict, "verdict")
    }

    @Test(arguments: ProjectionCatalogue.all.map { $0.name })
    func `the schema of a projection's rows is current`(_ name: String) throws {
        let projection = try #require(ProjectionCatalogue.all.first { $0.name == name })
        try expect(try JSONSchemaTests.schema(of: projection), "\(name)-row")
    }

    @Test func `there is no other schema`() {
        let names = Folders.files(in: Folders.root.appending(path: "docs/schema"), "json")
            .map { $0.lastPathComponent.replacing(".schema.json", with: "") }
        let rows = ProjectionCatalogue.all.map { "\($0.name)-row" }
        #expect(names.sorted() == (["event", "finding", "verdict"] + rows).sorted())
    }

    /// The schema of a projection's rows, from the rows of all samples that are read.
    private static func schema<Shown: Projection>(of projection: Shown.Type) throws -> String {
        var schema = RowSchema()
        let files = ["valid", "violations"].flatMap { folder in
            Folders.files(in: Folders.events.appending(path: folder), "jsonl")
        }
        for file in files {
            let reader = LogReader()
            var show = Show([projection], names: reader.decoder.names)
            try reader.read(MemorySource(Folders.bytes(of: file))) { line in
                show.observe(line)
                return true
            }
            for row in show.rows(of: projection) { row.write(to: &schema) }
        }
        return JSONSchema.file(
            "\(Shown.name)-row", "A row of `show \(Shown.name) --format=json`", schema.members)
    }
}
