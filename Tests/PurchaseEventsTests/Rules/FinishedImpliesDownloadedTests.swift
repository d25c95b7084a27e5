import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct FinishedImpliesDownloadedTests {
    @Test func `a finish while a download is open is found once`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            delivery.download transaction=t1 download=d1 state=active
            delivery.download transaction=t1 download=d2 state=failed
            queue.finished transaction=t1 ← finished-implies-downloaded
            """
        ).expectPinned(FinishedImpliesDownloaded.self)
    }

    @Test func `a download ends by finishing or by being cancelled`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            delivery.download transaction=t1 download=d1 state=waiting
            delivery.download transaction=t1 download=d2 state=paused
            delivery.download transaction=t1 download=d1 state=finished
            delivery.download transaction=t1 download=d2 state=cancelled
            delivery.download transaction=t1 download=d3 state=finished
            queue.finished transaction=t1
            """
        ).expectPinned(FinishedImpliesDownloaded.self)
    }

    @Test func `an ended download stays ended, whatever later events say`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            delivery.download transaction=t1 download=d1 state=finished
            delivery.download transaction=t1 download=d1 state=active
            queue.finished transaction=t1
            """)
        #expect(try history.verdict(FinishedImpliesDownloaded.self) == .holds)
    }

    @Test func `downloads of the same name belong to their own transactions`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            queue.purchased transaction=t2
            delivery.download transaction=t1 download=d1 state=active
            delivery.download transaction=t2 download=d1 state=finished
            queue.finished transaction=t2
            queue.finished transaction=t1 ← finished-implies-downloaded
            """
        ).expectPinned(FinishedImpliesDownloaded.self)
    }

    @Test func `a finish without downloads is no test`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            queue.finished transaction=t1
            """)
        #expect(try history.verdict(FinishedImpliesDownloaded.self) == .vacuous)
    }

    @Test func `a refunded or unselected purchase owes no download`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            delivery.download transaction=t1 download=d1 state=active
            cancellation.refunded transaction=t1
            queue.finished transaction=t1
            restore.requested by=user
            queue.restored transaction=r1 original=t2 product=trees
            delivery.download transaction=r1 download=d1 state=paused
            restore.selected product=birds
            queue.finished transaction=r1
            """)
        #expect(try history.verdict(FinishedImpliesDownloaded.self) == .holds)
    }

    @Test func `the finding points at each open download`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            delivery.download transaction=t1 download=d1 state=active
            delivery.download transaction=t1 download=d2 state=active
            delivery.download transaction=t1 download=d3 state=finished
            delivery.download transaction=t1 download=d1 state=paused
            queue.finished transaction=t1
            """)
        let finding = try #require(
            history.reports([FinishedImpliesDownloaded.self])[0].report.findings.first)
        #expect(finding.notes.map(\.line) == [2, 4, 6])
        #expect(finding.message.contains("while 2 of its downloads had not ended"))
    }

    @Test func `a line that was not understood may have ended it`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            delivery.download transaction=t1 download=d1 state=active
            not a line of this log
            queue.finished transaction=t1
            """)
        #expect(try history.verdict(FinishedImpliesDownloaded.self) == .undetermined)
    }

    @Test func `an exception may be missing`() throws {
        for text in ["unopened\n", "what is this\n"] {
            let history = Timeline(
                text + """
                    queue.purchased transaction=t1
                    delivery.download transaction=t1 download=d1 state=active
                    queue.finished transaction=t1
                    """)
            #expect(try history.verdict(FinishedImpliesDownloaded.self) == .undetermined)
        }
    }

    @Test func `the downloads of two devices are two`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1 device=phone
            queue.purchased transaction=t1 device=pad
            delivery.download transaction=t1 download=d1 state=finished device=phone
            delivery.download transaction=t1 download=d1 state=active device=pad
            queue.finished transaction=t1 device=phone
            queue.finished transaction=t1 device=pad ← finished-implies-downloaded
            """
        ).expectPinned(FinishedImpliesDownloaded.self, DownloadsMoveForward.self)
    }
}
