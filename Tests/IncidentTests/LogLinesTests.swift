import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections
import Testing

struct LogLinesTests {
    @Test func `lines keep their bytes, and a last line without an end gets one`() {
        let lines = LogLines(Array("a\n\nbc".utf8))
        #expect(lines.count == 3)
        #expect(lines.indices.map { Array(lines[$0]) } == [Array("a".utf8), [], Array("bc".utf8)])
        #expect(lines.bytes == Array("a\n\nbc\n".utf8))
        #expect(LogLines().count == 0)
    }

    @Test func `some lines are a log of their own`() throws {
        var lines = LogLines()
        let log = [
            #"{"seq":1,"at":"2026-03-01T09:00:00.000Z","type":"log.opened","schema":1}"#,
            #"{"seq":2,"at":"2026-03-01T09:00:01.000Z","type":"log.noted","text":"one"}"#,
            #"{"seq":3,"at":"2026-03-01T09:00:02.000Z","type":"log.noted","text":"two"}"#,
        ]
        for line in log { lines.append(line.utf8) }
        #expect(try lines.findings().isEmpty)
        let found = try lines.taking([0, 2]).findings()
        #expect(found.map(\.rule) == ["sequence-unbroken"])
        #expect(found.map(\.line) == [2])
    }
}
