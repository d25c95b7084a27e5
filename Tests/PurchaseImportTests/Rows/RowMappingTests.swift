import PurchaseEvents
import PurchaseSimulation
import TestSupport
import Testing

@testable import PurchaseImport

struct RowMappingTests {
    private static let table = """
        id,at,action,user,tx,why
        1,30,grant,u1,t1,
        2,10,grant,u2,t2,
        3,20,refund,u2,t2,refunded
        4,40,look,u2,t2,
        """

    private static let mapping = """
        {"zone": "+01:00", "columns": {"at": "at", "account": "user", "transaction": "tx",
         "quantity": "id"}, "set": {"device": "server"},
         "events": [{"type": "delivery.delivered", "where": {"action": "grant"}},
          {"type": "delivery.withdrawn", "where": {"action": ["refund", "revoke"]},
           "columns": {"reason": "why"}, "set": {"device": "desk"}}]}
        """

    @Test func `one export becomes one log of several types, in the order of time`() throws {
        let mapping = try RowMapping(json: Array(Self.mapping.utf8))
        #expect(mapping.zone == 60 && mapping.namesTimes)
        let result = try importedRows([("a.csv", Self.table)], mapping)
        #expect(result.delivered == ["t2", "t2", "t1"])
        #expect(
            result.events.map(\.type) == [
                .logOpened, .deliveryDelivered, .deliveryWithdrawn, .deliveryDelivered,
            ])
        #expect(result.events.map(\.device) == [nil, "server", "desk", "server"])
        #expect(
            result.printed == [
                "a.csv:1: note: 1 of 4 rows left out: no event of the mapping matches them"
            ])
    }

    @Test func `the same row is recorded once, by its hash or its column`() throws {
        let mapping = try RowMapping(json: Array(Self.mapping.utf8))
        let twice = try importedRows([("a.csv", Self.table), ("b.csv", Self.table)], mapping)
        #expect(twice.log == (try importedRows([("a.csv", Self.table)], mapping)).log)
        #expect(twice.tally.repeated == 3)
        // Quotes don't change a row.
        let quoted = Self.table.replacing(",grant,", with: ",\"grant\",")
        #expect(try importedRows([("a", Self.table), ("b", quoted)], mapping).log == twice.log)
        let named = try TestRows.deliveries { $0.columns[.id] = "id" }
        let rows = "id,at,user,tx,n\n7,1,u,t1,\n7,2,u,t1,\n7,3,u,t2,\n8,3,u,t3,\n,4,u,t4,\n"
        let result = try importedRows([("a", rows)], named)
        #expect(result.events.compactMap(\.id) == ["7", "8"])
        #expect(result.tally.repeated == 1)
        #expect(
            result.printed == [
                "a:6: error: id: expected a value, seen an empty cell",
                "a:4: error: this row has the same `id` as a:2 but different content; "
                    + "skipped the row",
            ])
    }

    @Test func `without a column the time of recording is an argument`() throws {
        let mapping = try TestRows.deliveries { $0.columns[.at] = nil }
        #expect(!mapping.namesTimes)
        let rows = "user,tx,n\nu,t2,\nu,t1,\n"
        let result = try importedRows([("a", rows)], mapping, recordedAt: "2026-03-01T00:00:00Z")
        #expect(result.delivered == ["t2", "t1"])
        #expect(Set(result.events.map(\.at.text)) == ["2026-03-01T00:00:00.000Z"])
        #expect(try importedRows([("a", rows)], mapping).printed.count == 2)
    }

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
                let result = try importedRows([("a.csv", text)], mapping)
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
