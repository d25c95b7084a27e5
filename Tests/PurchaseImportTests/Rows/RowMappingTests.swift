import PurchaseEvents
import PurchaseSimulation
import TestSupport
import Testing

@testable import PurchaseImport

struct RowMappingTests {
    @Test func `every type of event can come from rows, by every key of its own`() throws {
        for seed in 0..<UInt64(Effort.of(whole: 40, part: 4)) {
            let events = try Self.simulated(seed).filter { RowMapping.types.contains($0.type) }
            for (type, events) in Dictionary(grouping: events, by: \.type) {
                let keys = (EventType.envelope + type.schema).map(\.key)
                    .filter { $0 != .seq && $0 != .type }
                var text = keys.map(\.wireName).joined(separator: ",") + "\n"
                var expected: [Event<Written>] = []
                for (index, event) in events.enumerated() {
                    var event = event
                    event.id = "\(type.wireName) \(index)"
                    event.seq = Int64(index) + 2
                    event.at = Timestamp(milliseconds: Int64(index))
                    expected.append(event)
                    text += try Self.row(of: event, keys) + "\n"
                }
                let columns = Dictionary(uniqueKeysWithValues: keys.map { ($0, $0.wireName) })
                let mapping = try RowMapping(events: [.init(type: type, columns: columns)])
                let result = try importedRows([ImportFile("a.csv", text)], mapping)
                #expect(
                    Array(result.events.dropFirst()) == expected,
                    "seed \(seed), \(type.wireName): \(result.printed)")
            }
        }
    }

    /// The values of an event's line as a row of CSV, in the order of the keys.
    private static func row(of event: Event<Written>, _ keys: [Key]) throws -> String {
        var values: [String: JSONValue] = [:]
        JSONReader.read(try LineWriter.line(of: event)) { part in
            guard case .document(let value) = part else { return }
            for member in value.members ?? [] { values[member.key] = member.value }
        }
        return keys.map { key in
            let text = values[key.wireName]?.plainText ?? ""
            return "\"" + text.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: ",")
    }

    private static func simulated(_ seed: UInt64) throws -> [Event<Written>] {
        let options = SimulationOptions(events: 600, accounts: 8, days: 200)
        let simulation = Simulation(options, choices: SeededChoices(seed: seed))
        var events: [Event<Written>] = []
        while let event = simulation.next() { events.append(event) }
        return events
    }
}
