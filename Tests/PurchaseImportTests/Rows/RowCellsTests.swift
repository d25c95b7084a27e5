import PurchaseEvents
import TestSupport
import Testing

@testable import PurchaseImport

struct RowCellsTests {
    private static let header = "tx,user,at,n\n"
    private static let time = "2026-03-01T09:00:00Z"

    private func rows(_ text: String, name: String = "a.csv") throws -> ImportResult {
        try importedRows([(name, text)], try TestRows.deliveries())
    }

    @Test func `quotes hold separators, ends of line and doubled quotes`() throws {
        let text =
            "\u{FEFF}tx,user,at,n\r\n\"t,1\",\"two\"\"quotes\",\(Self.time),2\r\n"
            + "t2,u2,\"\(Self.time)\",\n"
        let result = try rows(text)
        #expect(result.remarks.isEmpty, "\(result.printed)")
        #expect(result.delivered == ["t,1", "t2"])
        #expect(result.events[1].account == "two\"quotes")
        // A newline is allowed in a cell but not in a name; the next row keeps its line number.
        let broken = try rows(Self.header + "\"t\n1\",u,\(Self.time),1\nt2,u,\(Self.time),x\n")
        #expect(broken.delivered.isEmpty)
        #expect(broken.remarks.map(\.place.line) == [2, 4])
        let noted = try importedRows(
            [("a.csv", "when,what\n\(Self.time),\"one\r\n\"\"two\"\"\"\n")],
            try RowMapping(events: [.init(type: .logNoted, columns: [.at: "when", .text: "what"])]))
        #expect(noted.events.last?.fact == .logNoted(text: "one\r\n\"two\""))
    }

    @Test func `columns stand in any order and others are passed over`() throws {
        let text = "x,n,at,y,user,tx\n1,2,\(Self.time),,u,t\n"
        let result = try rows(text)
        #expect(result.remarks.isEmpty && result.delivered == ["t"])
        #expect(
            result.events.last?.fact
                == .deliveryDelivered(.init(transaction: "t", quantity: 2)))
    }

    @Test func `tabs part cells by the file's name or its header`() throws {
        let text = "tx\tuser\tat\tn\nt,1\tu\t\(Self.time)\t\n"
        for name in ["a.tsv", "a.TAB", "a", "-", "a.csv"] {
            #expect(try rows(text, name: name).delivered == ["t,1"], "\(name)")
        }
        // A comma in the header of a file named .csv parts cells: a name has the tab.
        let named = "tx,user\tname,at,user,n\nt,x,\(Self.time),u,\n"
        #expect(try rows(named, name: "a.csv").delivered == ["t"])
    }

    @Test func `JSON lines are told by their first byte, whatever the name`() throws {
        let text = """
            {"tx": 2000000000000101, "user": "u\\u0041", "at": 1772355600, "n": null}

            {"at": 1772355600123, "tx": "t2", "other": {"deep": [1, "}"]}}
            """
        let result = try rows(text)
        #expect(result.remarks.isEmpty, "\(result.printed)")
        #expect(result.delivered == ["2000000000000101", "t2"])
        #expect(result.events[1].account == "uA" && result.events[2].account == nil)
        #expect(result.events.map(\.at.text).last == "2026-03-01T09:00:00.123Z")
        let bad = try rows(
            "{\"tx\":\"t\",\"at\":1}\n{\"tx\":[1],\"at\":1}\nnothing\n{\"tx\":\"t\"\n{}{}\n[1]\n")
        #expect(bad.delivered == ["t"])
        #expect(bad.remarks.filter { $0.level == .error }.map(\.place.line) == [2, 3, 4, 5, 6])
        #expect(
            bad.remarks.filter { $0.level == .warning }.map(\.message) == [
                "no row has the key `n`", "no row has the key `user`",
            ])
    }

    @Test func `each row that isn't one is named, and the rest is imported`() throws {
        let text =
            Self.header + "t1,u,\(Self.time),1\n" + "t2,u,\(Self.time)\n"
            + "t3,u,\(Self.time),1,1\n" + "\"t4\"x,u,\(Self.time),1\n" + "\n"
            + "t5,u,\(Self.time),0\n" + ",u,\(Self.time),1\n" + "t7,u,,1\n"
            + "t8,u,yesterday,1\n" + "t9,u,2026-02-30T09:00:00Z,1\n" + "t10,u,\(Self.time),1"
        let result = try rows(text)
        #expect(result.delivered == ["t1", "t10"])
        #expect(
            result.printed.map { $0.split(separator: ", seen")[0] } == [
                "a.csv:3: error: expected 4 cells as in the header",
                "a.csv:4: error: expected 4 cells as in the header",
                "a.csv:5: error: expected the end of a cell after its closing quote",
                "a.csv:7: error: n: expected a whole number from 1 to 2147483647",
                "a.csv:8: error: tx: expected a value",
                "a.csv:9: error: at: expected a value",
                "a.csv:10: error: at: expected \(RowTime.expected)",
                "a.csv:11: error: at: expected \(RowTime.expected)",
            ])
    }

    @Test func `a quote that nothing closes costs its line alone`() throws {
        let text =
            Self.header + "t1,u,\(Self.time),1\n\"t2,u,\(Self.time),1\nt3,u,\(Self.time),1\n"
        let result = try rows(text)
        #expect(result.delivered == ["t1", "t3"])
        #expect(
            result.printed == [
                "a.csv:3: error: expected a closing quote, seen none; skipped the line"
            ])
        let long = String(repeating: "x", count: RowCutter.largestRow + 100)
        let large = try rows(
            Self.header + "\(long),u,\(Self.time),1\n\"\(long)\nt3,u,\(Self.time),1\n")
        #expect(large.delivered == ["t3"])
        #expect(large.remarks.map(\.place.line) == [2, 3])
    }

    @Test func `bytes that aren't UTF-8 and control characters are refused in their row`() throws {
        var bytes = Array((Self.header + "t1,u,\(Self.time),1\nt").utf8)
        bytes +=
            [0xFF] + Array(",u,\(Self.time),1\nt\u{7},u,\(Self.time),1\nü,u,\(Self.time),1\n".utf8)
        let result = try importedRows(
            [ImportFile(name: "a.csv", bytes: bytes)], try TestRows.deliveries())
        #expect(result.delivered == ["t1", "ü"])
        #expect(result.remarks.map(\.place.line) == [3, 4])
        #expect(result.printed.allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 } })
    }

    @Test func `a file without rows says what it is`() throws {
        func said(_ bytes: [UInt8]) throws -> String {
            let file = ImportFile(name: "a", bytes: bytes)
            let result = try importedRows([file], try TestRows.deliveries())
            #expect(result.log.isEmpty)
            return result.printed.joined()
        }
        #expect(try said([]).hasSuffix("seen an empty file"))
        #expect(try said([0xFF, 0xFE, 0x61, 0]).hasSuffix("seen UTF-16"))
        #expect(try said([0x1F, 0x8B, 8, 0]).hasSuffix("seen a gzip file"))
        #expect(try said(Array("[{}]".utf8)).contains("a JSON array"))
        #expect(try said([0x61, 0, 0x62]).hasSuffix("seen a binary file"))
        #expect(
            try said(Array("tx;user;at;n\n".utf8)).contains(
                "expected a column `at`, seen `tx;user;at;n`; skipped the file"))
        #expect(try said(Array("tx,tx,at,n,user\n".utf8)).contains("seen 2 of this name"))
        #expect(try said(Array(Self.header.utf8)).isEmpty)
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
            let result = try importedRows([("a.csv", text)], mapping)
            let read = result.events.dropFirst().map { event in
                if case .logNoted(let text) = event.fact { text } else { "" }
            }
            #expect(read == texts, "seed \(seed): \(result.printed)")
        }
    }
}
