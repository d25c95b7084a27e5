import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct EverythingFinishedTests {
    @Test func `a third launch that presents an entry is found once, and no note follows`() throws {
        try Timeline(
            """
            app.launched
            queue.purchased transaction=t1
            app.launched
            queue.purchased transaction=t1
            queue.purchased transaction=t1
            app.launched
            queue.purchased transaction=t1 ← everything-finished
            queue.purchased transaction=t1
            app.launched
            queue.purchased transaction=t1
            """
        ).expectPinned(EverythingFinished.self)
    }

    @Test func `a presentation before the first launch counts for no launch`() throws {
        try Timeline(
            """
            queue.restored transaction=t1 original=t0
            app.launched
            queue.restored transaction=t1 original=t0
            app.launched
            queue.restored transaction=t1 original=t0
            queue.finished transaction=t1
            """
        ).expectPinned(EverythingFinished.self)
    }

    @Test func `a launch that does not present the entry does not count`() throws {
        let history = Timeline(
            """
            app.launched
            queue.purchased transaction=t1
            app.launched
            app.launched
            queue.purchased transaction=t1
            queue.finished transaction=t1
            """)
        #expect(try history.verdict(EverythingFinished.self) == .holds)
    }

    @Test func `launches are counted for each device, and an entry is reported once`() throws {
        try Timeline(
            """
            app.launched device=phone
            app.launched device=tablet
            app.launched device=watch
            queue.purchased transaction=t1 device=phone
            queue.purchased transaction=t1 device=tablet
            queue.purchased transaction=t1 device=watch
            app.launched device=tablet
            queue.purchased transaction=t1 device=tablet
            app.launched device=tablet
            queue.purchased transaction=t1 device=tablet ← everything-finished
            app.launched device=phone
            queue.purchased transaction=t1 device=phone
            app.launched device=phone
            queue.purchased transaction=t1 device=phone
            """
        ).expectPinned(EverythingFinished.self)
    }

    @Test func `one launch on each of three devices is fine`() throws {
        let history = Timeline(
            """
            app.launched device=phone
            queue.purchased transaction=t1 device=phone
            app.launched device=tablet
            queue.purchased transaction=t1 device=tablet
            app.launched device=watch
            queue.purchased transaction=t1 device=watch
            queue.finished transaction=t1 device=watch
            """)
        try history.expectPinned(EverythingFinished.self)
        #expect(try history.verdict(EverythingFinished.self) == .holds)
    }

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

    @Test func `a finished or removed entry is not open`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            queue.finished transaction=t1
            queue.purchased transaction=t1
            queue.purchased transaction=t2
            queue.removed transaction=t2
            """
        ).expectPinned(EverythingFinished.self)
    }

    @Test func `failures don't count in a log that finishes none`() throws {
        let history = Timeline(
            """
            app.launched
            queue.failed payment=p1 error=network
            app.launched
            queue.failed payment=p1 error=network
            app.launched
            queue.failed payment=p1 error=network
            """)
        #expect(try history.verdict(EverythingFinished.self) == .vacuous)
    }

    @Test func `failures count in a log that finishes any, also those before`() throws {
        try Timeline(
            """
            app.launched
            queue.failed payment=p1 error=network
            app.launched
            queue.failed payment=p1 error=network
            app.launched
            queue.failed payment=p1 error=network ← everything-finished
            queue.failed payment=p2 error=network
            queue.finished payment=p2
            queue.failed payment=p3 error=network ← everything-finished
            """
        ).expectPinned(EverythingFinished.self)
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

    @Test func `a line that was not understood may have finished it`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            not a line of this log
            """)
        #expect(try history.verdict(EverythingFinished.self) == .undetermined)
    }

    @Test func `a log that starts in the middle shows the launches all the same`() throws {
        try Timeline(
            """
            unopened
            app.launched
            queue.purchased transaction=t1
            app.launched
            queue.purchased transaction=t1
            app.launched
            queue.purchased transaction=t1 ← everything-finished
            """
        ).expectPinned(EverythingFinished.self)
    }

    @Test func `a purchase may be finished by its payment`() throws {
        try Timeline(
            """
            payment.requested payment=p1
            queue.purchased transaction=t1 payment=p1
            queue.finished payment=p1
            payment.requested payment=p2
            queue.failed payment=p2 error=cancelled
            """
        ).expectPinned(EverythingFinished.self)
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
