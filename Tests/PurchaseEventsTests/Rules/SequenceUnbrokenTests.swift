import PurchaseEvents
@testable import PurchaseProjections
import TestSupport
import Testing

@Suite struct SequenceUnbrokenTests {
    @Test func `a blank line counts as none`() throws {
        var bytes = Timeline("app.launched").bytes
        bytes.insert(0x0A, at: bytes.firstIndex(of: 0x0A) ?? 0)
        let report = try check(bytes, [SequenceUnbroken.self])[0].report
        #expect(report.verdict == .holds)
        #expect(report.tested == 2)
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
