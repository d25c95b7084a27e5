import PurchaseEvents
import PurchaseImport
import TestSupport
import Testing

@testable import replay

struct ImportRowsRunTests {
    @Test func `each key of the format has an option, which names its column`() {
        let names = Option.rowColumns.map(\.name)
        #expect(names == RowMapping.keys.map(\.wireName))
        for type in RowMapping.types {
            let keys = (EventType.envelope + type.schema).map(\.key.wireName)
            #expect(Set(keys).subtracting(names).isSubset(of: ["seq", "type"]), "\(type.wireName)")
        }
    }

    @Test func `each mapping of the package has its sample in the stories`() throws {
        let stories = try StoryFile.all(in: "Tool").first { $0.name == "import-rows" }?.stories()
        let commands = try #require(stories).flatMap(\.lines)
        for file in Folders.files(in: Folders.root.appending(path: "Mappings"), "json") {
            let option = "--mapping=Mappings/\(file.lastPathComponent)"
            #expect(commands.contains { $0.hasSuffix(option) }, "\(option)")
        }
    }
}
