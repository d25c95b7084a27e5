import PurchaseEvents
@testable import PurchaseProjections
import TestSupport
import Testing

@Suite struct SequenceUnbrokenTests {
    @Test func `a gap, a repetition and a step back are found, and the log goes on from there`()
        throws
    {
        try Timeline(
            """
            app.launched
            app.launched seq=4 ← sequence-unbroken
            app.launched seq=5
            app.launched seq=5 ← sequence-unbroken
            app.launched seq=3 ← sequence-unbroken
            app.launched seq=4
            """
        ).expectPinned(SequenceUnbroken.self)
    }

    @Test func `the first line of a log is 1`() throws {
        try Timeline(
            """
            log.opened schema=1 seq=2 ← sequence-unbroken
            app.launched seq=3
            """
        ).expectPinned(SequenceUnbroken.self)
    }

    @Test func `a log that starts in the middle begins anywhere`() throws {
        let history = Timeline(
            """
            unopened
            app.launched seq=41
            app.launched seq=42
            """)
        #expect(try history.verdict(SequenceUnbroken.self) == .holds)
    }

    @Test func `a line that was not understood counts as one`() throws {
        try Timeline(
            """
            app.launched
            not a line of this log
            nor is this
            app.launched
            nor is this
            app.launched seq=6 ← sequence-unbroken
            """
        ).expectPinned(SequenceUnbroken.self)
    }

    @Test func `a blank line counts as none`() throws {
        var bytes = Timeline("app.launched").bytes
        bytes.insert(0x0A, at: bytes.firstIndex(of: 0x0A) ?? 0)
        let report = try check(bytes, [SequenceUnbroken.self])[0].report
        #expect(report.verdict == .holds)
        #expect(report.tested == 2)
    }

    @Test func `lines before the opening may or may not count`() throws {
        try Timeline(
            """
            log.opened schema=2 seq=1
            log.opened schema=1 seq=2
            app.launched seq=3
            """
        ).expectPinned(SequenceUnbroken.self)
    }

    @Test func `a second log after the first is found where it begins`() throws {
        try Timeline(
            """
            app.launched
            log.opened schema=1 seq=1 ← sequence-unbroken
            app.launched seq=2
            """
        ).expectPinned(SequenceUnbroken.self)
    }

    @Test func `the greatest position overflows nothing`() throws {
        try Timeline(
            """
            unopened
            app.launched seq=9007199254740991
            app.launched seq=9007199254740991 ← sequence-unbroken
            """
        ).expectPinned(SequenceUnbroken.self)
    }

    @Test func `the finding names both positions`() throws {
        let history = Timeline(
            """
            app.launched seq=7
            """)
        let finding = try #require(
            history.reports([SequenceUnbroken.self])[0].report.findings.first)
        #expect(finding.message == "seq 7 comes after seq 1: expected 2")
        #expect(finding.seq == 7)
        #expect(
            finding.notes == [Finding.Note(line: 1, message: "let the previous line have seq 1")])
    }
}
