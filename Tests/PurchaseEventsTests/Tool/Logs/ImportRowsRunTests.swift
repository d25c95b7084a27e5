import PurchaseEvents
import PurchaseImport
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
}
