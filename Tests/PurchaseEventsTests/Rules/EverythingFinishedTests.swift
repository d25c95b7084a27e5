import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct EverythingFinishedTests {
    @Test func `a payment that fails again after its finish is counted anew on each device`() throws
    {
        let twice = { (device: String) in
            (0..<2).map { _ in
                "app.launched device=\(device)\n"
                    + "queue.failed payment=p1 error=network device=\(device)"
            }.joined(separator: "\n")
        }
        try Timeline(
            """
            \(twice("phone"))
            \(twice("tablet"))
            queue.finished payment=p1 device=phone
            \(twice("phone"))
            queue.finished payment=p1
            \(twice("tablet"))
            queue.finished payment=p1 device=tablet
            """
        ).expectPinned(EverythingFinished.self)
    }

    @Test func `an entry still open at the end is a note at the last line that names it`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1 account=ada
            delivery.delivered transaction=t1
            app.launched
            """)
        let report = try history.reports([EverythingFinished.self])[0].report
        #expect(report.findings.map(\.level) == [.note])
        #expect(report.findings.map(\.line) == [3])
        #expect(report.findings.first?.account == "ada")
        #expect(report.verdict == .holds)
        #expect(report.tested == 1)
    }

    @Test func `each entry is a test`() throws {
        let history = Timeline(
            """
            queue.failed payment=p1 error=network
            queue.failed payment=p1 error=network
            queue.finished payment=p1
            queue.purchased transaction=t1
            queue.purchased transaction=t1
            queue.finished transaction=t1
            queue.failed payment=p2 error=network
            queue.finished payment=p2
            """)
        let report = try history.reports([EverythingFinished.self])[0].report
        #expect(report.tested == 3)
        #expect(report.findings.isEmpty)
    }

    @Test func `what another device finished is open on this one while it is presented here`()
        throws
    {
        let history = Timeline(
            """
            app.launched device=phone
            queue.purchased transaction=t1 device=phone
            queue.purchased transaction=t1 device=pad
            queue.purchased transaction=t2 device=phone
            queue.purchased transaction=t2 device=pad
            queue.finished transaction=t1 device=pad
            queue.finished transaction=t2 device=pad
            app.launched device=phone
            queue.purchased transaction=t1 device=phone
            app.launched device=phone
            queue.purchased transaction=t1 device=phone ← everything-finished
            queue.purchased transaction=t1 device=pad
            """)
        try history.expectPinned(EverythingFinished.self)
    }
}
