import PurchaseEvents
import PurchaseSimulation
import Testing

@testable import PurchaseImport

struct SourceSorterTests {
    private func text(
        _ date: Timestamp?, _ order: Int64, _ bytes: some Collection<UInt8>
    ) -> String {
        "\(date?.milliseconds ?? .min) \(order) \(bytes.count) \(bytes.first ?? 0)"
    }

    /// The records as sorted, with the dates under which they are recorded.
    private func sorted(
        _ records: [(bytes: [UInt8], date: Timestamp?)], by sorter: SourceSorter
    ) throws -> [String] {
        var sorter = sorter
        for record in records { try sorter.add(record.bytes[...], date: record.date) }
        try sorter.finish()
        var sorted: [String] = []
        while let next = try sorter.next() {
            sorted.append(text(next.key.date, next.key.order, next.record))
        }
        #expect(sorter.count == records.count)
        return sorted
    }

    @Test(arguments: [1, 100, 5_000], [1, 64, 100_000])
    func `runs of a file and memory give one order: by date, then by input`(
        _ runSize: Int, _ portion: Int
    ) throws {
        let choices = SeededChoices(seed: 7)
        let records = (0..<400).map { number -> (bytes: [UInt8], date: Timestamp?) in
            let length = Int(choices.number(in: 0...40))
            let isDated = number > 3 && !choices.happens(oncePer: 5)
            return (
                [UInt8](repeating: UInt8(number % 251), count: length),
                isDated ? Timestamp(milliseconds: choices.number(in: -20...20)) : nil
            )
        }
        // A record without a date has that of the record before it.
        var (last, expected): (Timestamp?, [(Int64, Int, String)]) = (nil, [])
        for (number, record) in records.enumerated() {
            last = record.date ?? last
            let text = text(last, Int64(number + 1), record.bytes)
            expected.append((last?.milliseconds ?? .min, number, text))
        }
        let order = expected.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
        #expect(try sorted(records, by: SourceSorter()) == order)
        #expect(
            try sorted(records, by: SourceSorter(runSize: runSize, portion: portion)) == order)
    }
}
