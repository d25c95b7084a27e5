import Foundation
import PurchaseEvents
import PurchaseProjections
import Testing

/// Every projection's rows over every valid sample, whole.
@Suite struct ProjectionGoldenTests {
    @Test(arguments: ProjectionCatalogue.all.map { $0.name })
    func `the rows of a projection over the valid samples`(_ name: String) throws {
        let projection = try #require(ProjectionCatalogue.find(name))
        var text = ""
        for file in Folders.files(in: Folders.events.appending(path: "valid"), "jsonl") {
            text += "# \(file.lastPathComponent)\n"
            for row in try Showing(Folders.bytes(of: file)).rows(projection) {
                text += row + "\n"
            }
        }
        try expectGolden(text, "Projections/\(name).txt")
    }
}
