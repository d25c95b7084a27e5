import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// Unusual data that is imported without loss, and the remarks on data that can't be imported.
struct ImportToleranceTests {
    @Test func `one object, an array and one object a line are the same`() throws {
        let first = notification("INITIAL_BUY", [february])
        let second = notification("DID_RENEW", [february, march])
        let lines = try imported("\(first)\n\(second)\n")
        #expect(try imported("[\(first), \(second)]").log == lines.log)
        #expect(try imported(first, second).log == lines.log)
        #expect(try imported("\u{FEFF}\(first)\r\n\r\n\(second)").log == lines.log)
    }

    @Test func `dates are read from milliseconds, else from text in GMT`() {
        let time = Timestamp("2020-11-25T08:31:02Z").map(AppStoreDate.time)
        #expect(AppStoreDate("2020-11-25 08:31:02 Etc/GMT") == time)
        #expect(AppStoreDate("1606293062000") == time)
        #expect(AppStoreDate("2020-11-25T09:31:02+01:00") == time)
        #expect(AppStoreDate("2020-11-25 00:31:02 America/Los_Angeles") == .otherZone)
        #expect(AppStoreDate("2020-11-25 08:31:02") == .otherZone)
        #expect(AppStoreDate("2020-11-31 08:31:02 Etc/GMT") == .unreadable)
        #expect(AppStoreDate("99999999999999999") == .unreadable)
        #expect(AppStoreDate("soon") == .unreadable)
    }

    @Test func `bytes that are no UTF-8 and values without end are errors too`() throws {
        let binary = try imported([ImportFile(name: "a", bytes: [0x7B, 0xFF, 0x00])])
        #expect(binary.remarks.first?.message.contains("expected UTF-8") == true)
        let deep = try imported(String(repeating: "[", count: 100_000))
        #expect(deep.remarks.first?.message.contains("nested values") == true)
    }

    @Test func `a byte that is no UTF-8 costs its document alone`() throws {
        let good = Array(notification("INITIAL_BUY", [february]).utf8)
        let next = Array(notification("DID_RENEW", [february, march]).utf8)
        var bad = Array(notification("DID_RECOVER", [march]).utf8)
        bad[bad.count - 10] = 0xE9
        let lines: [UInt8] = [0x0A]
        let comma: [UInt8] = [0x2C, 0x0A]
        let files = [
            good + lines + bad + lines + next,
            [0x5B] + good + comma + bad + comma + next + [0x5D],
        ]
        for bytes in files {
            let result = try imported([ImportFile(name: "a", bytes: bytes)])
            #expect(result.events.filter { $0.type == .notificationReceived }.count == 2)
            #expect(
                result.remarks.map(\.description) == [
                    "a:2: error: invalid JSON: expected UTF-8, seen the byte 0xE9; "
                        + "skipped this record"
                ])
        }
    }

    @Test func `nothing is taken of an array that isn't whole`() throws {
        let good = notification("INITIAL_BUY", [february])
        let result = try imported("[\(good),\n{\"a\":}]")
        #expect(result.events.isEmpty && result.remarks.map(\.place.line) == [2])
        #expect(try imported("[\(good)]").log == imported(good).log)
    }

    @Test func `of very many remarks the first are kept, and how many there are`() throws {
        let note = "[]\n"
        let limit = LimitedRemarks.limit
        let text = String(repeating: note, count: limit + 1) + "{}\n7\n" + note
        let remarks = try imported(text).remarks
        #expect(remarks.count == limit + 1)
        #expect(remarks.dropLast().allSatisfy { $0.level == .note })
        let last = try #require(remarks.last)
        #expect(last.level == .error && last.place.line == limit + 2)
        #expect(last.message.hasSuffix("; 3 more remarks on this file omitted"))
        #expect(try imported(String(repeating: "{\n", count: 2 * limit)).remarks.count == limit + 1)
        let one = try imported(String(repeating: note, count: limit + 1)).remarks
        #expect(one.count == limit + 1 && one.last?.message == "an empty array")
    }

    @Test func `a place far into a file is found`() {
        for text in [
            "", "\n", String(repeating: "a", count: 9_000) + "\nb\n\nc",
            String(repeating: "ab\n", count: 5_000),
        ] {
            let bytes = Array(text.utf8)
            let places = BytePlaces(of: bytes)
            var line = 1, byte = 1
            for offset in 0...bytes.count {
                let place = places.place(of: offset)
                if place != FilePlace(line: line, byte: byte) {
                    Issue.record("\(offset): \(place), not \(line):\(byte)")
                }
                let isEnd = offset < bytes.count && bytes[offset] == UInt8(ascii: "\n")
                (line, byte) = isEnd ? (line + 1, 1) : (line, byte + 1)
            }
            #expect(places.place(of: bytes.count + 7) == places.place(of: bytes.count))
        }
    }

    @Test func `every importer is found by its name`() {
        for importer in Importers.all {
            #expect(Importers.named(importer.name)?.summary == importer.summary)
        }
        #expect(Importers.named("app-store") != nil && Importers.named("play") == nil)
    }
}
