import PurchaseEvents
import PurchaseProjections
import Testing

/// Values print themselves as a person reads them.
struct DescriptionTests {
    private let at = Timestamp(milliseconds: 1_772_442_005_000)

    @Test func `a time and an event print as in a log`() {
        #expect("\(at)" == "2026-03-02T09:00:05.000Z")
        let event = Event<Written>(seq: 2, at: at, .appLaunched)
        #expect(
            "\(event)" == #"{"seq":2,"at":"2026-03-02T09:00:05.000Z","type":"app.launched"}"#)
        let broken = Event<Written>(seq: 2, at: at, .catalogRequested(product: ""))
        #expect("\(broken)".hasPrefix("catalog.requested that can't be written: "))
    }

    @Test func `a row prints as JSON, a finding as check prints it`() throws {
        let log = Folders.events.appending(path: "violations/finished-implies-delivered.jsonl")
        let reader = LogReader()
        var check = Check(names: reader.decoder.names)
        var show = Show([Pending.self], names: reader.decoder.names)
        try reader.read(MemorySource(Folders.bytes(of: log))) { line in
            check.observe(line)
            show.observe(line)
            return true
        }
        let finding = try #require(check.finish().flatMap { $0.report.findings }.first)
        let lines = "\(finding)".split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("4: error: [finished-implies-delivered] transaction "))
        #expect(lines[1].hasPrefix("    2: note: let transaction "))
        #expect(lines[2].hasPrefix("    hint: "))
        for row in show.rows(of: Pending.self) { #expect("\(row)" == RowJSON.text(of: row.fields)) }
    }
}
