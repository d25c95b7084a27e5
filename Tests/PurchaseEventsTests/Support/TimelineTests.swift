import PurchaseEvents
import Testing

struct TimelineTests {
    @Test func `every line of a timeline is a canonical event`() throws {
        let timeline = Timeline(
            """
            app.launched device=phone
            queue.purchased transaction=t1 product=coins quantity=2 at=2026-02-20
            delivery.delivered transaction=t1
            """)
        #expect(timeline.lines.count == 4)
        let reader = LogReader()
        try reader.read(MemorySource(timeline.bytes)) { line in
            #expect(line.notes.isEmpty)
            let written = LineDecoder().decodeWritten(line.bytes)
            guard case .event(let event) = written else {
                Issue.record("\(written)")
                return true
            }
            let canonical = try LineWriter.line(of: event)
            #expect(canonical == Array(line.bytes))
            return true
        }
        #expect(reader.counts.events == 4)
        #expect(reader.counts.addUp)
    }
}
