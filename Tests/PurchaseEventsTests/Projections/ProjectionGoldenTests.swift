import Foundation
import PurchaseEvents
import PurchaseProjections
import Testing

/// Every projection's rows over every valid sample, whole.
struct ProjectionGoldenTests {
    @Test(arguments: ProjectionCatalogue.all.map { $0.name })
    func `the rows of a projection over the valid samples`(_ name: String) throws {
        var text = ""
        for file in Folders.files(in: Folders.events.appending(path: "valid"), "jsonl") {
            text += "# \(file.lastPathComponent)\n"
            for row in try Showing(Folders.bytes(of: file)).answer(name) {
                text += row + "\n"
            }
        }
        try expectGolden(text, "Projections/\(name).txt")
    }
}
