import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct DownloadsMoveForwardTests {
    @Test func `a download that ended never changes`() throws {
        try Timeline(
            """
            delivery.download transaction=t1 download=d1 state=finished
            delivery.download transaction=t1 download=d1 state=finished
            delivery.download transaction=t1 download=d1 state=active ← downloads-move-forward
            delivery.download transaction=t1 download=d1 state=finished
            delivery.download transaction=t1 download=d1 state=cancelled ← downloads-move-forward
            delivery.download transaction=t1 download=d1 state=waiting ← downloads-move-forward
            """
        ).expectPinned(DownloadsMoveForward.self)
    }

    @Test func `a failed download starts again or is cancelled`() throws {
        try Timeline(
            """
            delivery.download transaction=t1 download=d1 state=failed
            delivery.download transaction=t1 download=d1 state=failed
            delivery.download transaction=t1 download=d1 state=waiting
            delivery.download transaction=t1 download=d1 state=failed
            delivery.download transaction=t1 download=d1 state=active
            delivery.download transaction=t1 download=d1 state=failed
            delivery.download transaction=t1 download=d1 state=cancelled
            delivery.download transaction=t1 download=d2 state=failed
            delivery.download transaction=t1 download=d2 state=finished ← downloads-move-forward
            delivery.download transaction=t1 download=d3 state=failed
            delivery.download transaction=t1 download=d3 state=paused ← downloads-move-forward
            """
        ).expectPinned(DownloadsMoveForward.self)
    }

    @Test func `the other states follow each other freely`() throws {
        let history = Timeline(
            """
            delivery.download transaction=t1 download=d1 state=waiting
            delivery.download transaction=t1 download=d1 state=active
            delivery.download transaction=t1 download=d1 state=waiting
            delivery.download transaction=t1 download=d1 state=paused
            delivery.download transaction=t1 download=d1 state=active
            delivery.download transaction=t1 download=d1 state=active
            delivery.download transaction=t1 download=d1 state=finished
            """)
        #expect(try history.verdict(DownloadsMoveForward.self) == .holds)
    }

    @Test func `a download is known by its transaction and its name`() throws {
        let history = Timeline(
            """
            delivery.download transaction=t1 download=d1 state=finished
            delivery.download transaction=t2 download=d1 state=active
            delivery.download transaction=t1 download=d2 state=active
            """)
        #expect(try history.verdict(DownloadsMoveForward.self) == .holds)
    }

    @Test func `each download event is a test`() throws {
        let history = Timeline(
            """
            delivery.download transaction=t1 download=d1 state=finished
            delivery.download transaction=t1 download=d1 state=active
            """)
        let report = try history.reports([DownloadsMoveForward.self])[0].report
        #expect(report.tested == 2)
        let finding = try #require(report.findings.first)
        #expect(
            finding.message
                == "download d1 of transaction t1 is active after it was finished: expected "
                + "it not to change again")
        #expect(finding.notes.map(\.line) == [2])
    }

    @Test func `a line that was not understood may have started it again, never undone its end`()
        throws
    {
        try Timeline(
            """
            delivery.download transaction=t1 download=d1 state=failed
            delivery.download transaction=t1 download=d2 state=finished
            not a line of this log
            delivery.download transaction=t1 download=d1 state=finished
            delivery.download transaction=t1 download=d2 state=active ← downloads-move-forward
            """
        ).expectPinned(DownloadsMoveForward.self)
    }

    @Test func `what the log shows is proof wherever the log starts`() throws {
        try Timeline(
            """
            unopened
            delivery.download transaction=t1 download=d1 state=cancelled
            delivery.download transaction=t1 download=d1 state=active ← downloads-move-forward
            """
        ).expectPinned(DownloadsMoveForward.self)
    }
}
