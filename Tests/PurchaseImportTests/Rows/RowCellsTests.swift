import PurchaseEvents
import TestSupport
import Testing

@testable import PurchaseImport

/// What `import-rows.stories` doesn't say of cells.
struct RowCellsTests {
    private static let header = "tx,user,at,n\n"
    private static let time = "2026-03-01T09:00:00Z"

    private static func deliveries() throws -> RowMapping {
        try RowMapping(events: [
            .init(
                type: .deliveryDelivered,
                columns: [.at: "at", .account: "user", .transaction: "tx", .quantity: "n"])
        ])
    }

    @Test func `a row that is too long and a quote that nothing closes cost their line alone`()
        throws
    {
        let long = String(repeating: "x", count: RowCutter.largestRow + 100)
        let text = Self.header + "\(long),u,\(Self.time),1\n\"\(long)\nt3,u,\(Self.time),1\n"
        let large = try importedRows([ImportFile("a.csv", text)], try Self.deliveries())
        #expect(large.delivered == ["t3"])
        #expect(large.remarks.map(\.place.line) == [2, 3])
    }

    @Test func `bytes that aren't UTF-8 and control characters are refused in their row`() throws {
        var bytes = Array((Self.header + "t1,u,\(Self.time),1\nt").utf8)
        bytes +=
            [0xFF] + Array(",u,\(Self.time),1\nt\u{7},u,\(Self.time),1\nü,u,\(Self.time),1\n".utf8)
        let result = try importedRows(
            [ImportFile(name: "a.csv", bytes: bytes)], try Self.deliveries())
        #expect(result.delivered == ["t1", "ü"])
        #expect(result.remarks.map(\.place.line) == [3, 4])
        #expect(result.printed.allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 } })
    }

    /// The simplest possible CSV writer, for comparison.
    private static func plainCells(_ row: [String]) -> String {
        row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
    }

    @Test func `cells come out as they were put in, wherever blocks end`() throws {
        let count = Effort.of(whole: 200, part: 20)
        for seed in 0..<UInt64(count) {
            var dice = Dice(seed: seed)
            let pieces = ["a", "\"", ",", "\n", "\r\n", "ü", "\t", "'", " ", "{"]
            var (text, texts) = ("what,when\n", [String]())
            for row in 0..<dice.below(40) {
                let cell = (0...dice.below(6)).map { _ in pieces[dice.below(pieces.count)] }
                    .joined()
                texts.append("\(row)\(cell)")
                text += Self.plainCells(["\(row)\(cell)", "\(row + 1)"]) + "\n"
            }
            let mapping = try RowMapping(events: [
                .init(type: .logNoted, columns: [.at: "when", .text: "what"])
            ])
            let result = try importedRows([ImportFile("a.csv", text)], mapping)
            let read = result.events.dropFirst().map { event in
                if case .logNoted(let text) = event.fact { text } else { "" }
            }
            #expect(read == texts, "seed \(seed): \(result.printed)")
        }
    }
}
