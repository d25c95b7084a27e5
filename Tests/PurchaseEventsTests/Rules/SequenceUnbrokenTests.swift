import PurchaseEvents
@testable import PurchaseProjections
import TestSupport
import Testing

struct SequenceUnbrokenTests {
    @Test func `a blank line counts as none`() throws {
        var bytes = Timeline("app.launched").bytes
        bytes.insert(0x0A, at: bytes.firstIndex(of: 0x0A) ?? 0)
        let report = try check(bytes, [SequenceUnbroken.self])[0].report
        #expect(report.verdict == .holds)
        #expect(report.tested == 2)
    }
}
