import Foundation
import Testing

/// `replay consumption` answers for every sample; its other tests are in `consumption.stories`.
struct ConsumptionCommandTests {
    @Test func `each purchase of a consumable in the samples has its answer in the stories`() throws
    {
        let stories = StoryFile.folder.appending(path: "Tool/consumption.stories")
        let text = try String(contentsOf: stories, encoding: .utf8)
        for folder in ["valid", "violations", "regressions"] {
            for file in Folders.files(in: Folders.events.appending(path: folder), "jsonl") {
                let facts = try Showing(Folders.bytes(of: file)).fold().facts
                let path = "events/\(folder)/\(file.lastPathComponent)"
                for id in facts.knownTransactions
                where facts.kind(of: id) == .consumable && facts[id].attestsPeriod {
                    let question = "\(facts.names.text(of: id)) --consented --format=json \(path)"
                    #expect(text.contains("$ replay consumption \(question)\n"), "\(question)")
                }
            }
        }
    }
}
