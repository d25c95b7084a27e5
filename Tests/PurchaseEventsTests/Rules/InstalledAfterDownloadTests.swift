import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct InstalledAfterDownloadTests {
    @Test func `downloads are installed before the finish`() throws {
        try Timeline(
            """
            delivery.installed transaction=t0 place=caches
            queue.purchased transaction=t1
            delivery.download transaction=t1 download=d1 state=finished
            queue.finished transaction=t1 ← installed-after-download
            queue.purchased transaction=t2
            delivery.download transaction=t2 download=d1 state=finished
            delivery.installed transaction=t2 place=documents
            queue.finished transaction=t2
            """
        ).expectPinned(InstalledAfterDownload.self)
    }

    @Test func `a log that shows its first install later answers then`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            delivery.download transaction=t1 download=d1 state=finished
            queue.finished transaction=t1 ← installed-after-download
            delivery.installed transaction=t2 place=system
            """
        ).expectPinned(InstalledAfterDownload.self)
    }

    @Test func `a log without installs is not judged`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            delivery.download transaction=t1 download=d1 state=finished
            queue.finished transaction=t1
            """)
        #expect(try history.verdict(InstalledAfterDownload.self) == .vacuous)
    }

    @Test func `no install is needed without a finished download or if nothing is owed`()
        throws
    {
        try Timeline(
            """
            delivery.installed transaction=t0 place=caches
            queue.purchased transaction=t1
            delivery.download transaction=t1 download=d1 state=cancelled
            queue.finished transaction=t1
            queue.purchased transaction=t2
            delivery.download transaction=t2 download=d1 state=finished
            cancellation.refunded transaction=t2
            queue.finished transaction=t2
            """
        ).expectPinned(InstalledAfterDownload.self)
    }

    @Test func `each finish with finished downloads is a test`() throws {
        let history = Timeline(
            """
            queue.purchased transaction=t1
            delivery.download transaction=t1 download=d1 state=finished
            queue.finished transaction=t1
            delivery.installed transaction=t2 place=system
            queue.purchased transaction=t2
            delivery.download transaction=t2 download=d1 state=finished
            queue.finished transaction=t2
            queue.purchased transaction=t3
            queue.finished transaction=t3
            """)
        let report = try history.reports([InstalledAfterDownload.self])[0].report
        #expect(report.tested == 2)
        #expect(report.findings.map(\.line) == [4, 8])
        #expect(report.findings.first?.notes.map(\.line) == [2, 3])
    }

    @Test func `an install may lie before the log starts`() throws {
        let history = Timeline(
            """
            unopened
            delivery.installed transaction=t0 place=caches
            queue.purchased transaction=t1
            delivery.download transaction=t1 download=d1 state=finished
            queue.finished transaction=t1
            """)
        #expect(try history.verdict(InstalledAfterDownload.self) == .undetermined)
    }

    @Test func `an install before the first download ended does not count`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            delivery.installed transaction=t1 place=documents
            delivery.download transaction=t1 download=d1 state=finished
            queue.finished transaction=t1 ← installed-after-download
            """
        ).expectPinned(InstalledAfterDownload.self)
    }

    @Test func `a download after the latest install is not installed`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            delivery.download transaction=t1 download=d1 state=finished
            delivery.installed transaction=t1 place=documents
            delivery.download transaction=t1 download=d2 state=finished
            queue.finished transaction=t1 ← installed-after-download
            queue.purchased transaction=t2
            delivery.download transaction=t2 download=d1 state=finished
            delivery.download transaction=t2 download=d2 state=finished
            delivery.installed transaction=t2 place=documents
            queue.finished transaction=t2
            """
        ).expectPinned(InstalledAfterDownload.self)
    }

    @Test func `a download that starts again after it was installed stays installed`() throws {
        try Timeline(
            """
            queue.purchased transaction=t1
            delivery.download transaction=t1 download=d1 state=finished
            delivery.installed transaction=t1 place=caches
            delivery.download transaction=t1 download=d1 state=active
            delivery.download transaction=t1 download=d1 state=finished
            queue.finished transaction=t1
            receipt.listed transaction=t2
            delivery.download transaction=t2 download=d1 state=finished
            queue.finished transaction=t2 ← installed-after-download
            """
        ).expectPinned(InstalledAfterDownload.self)
    }
}
