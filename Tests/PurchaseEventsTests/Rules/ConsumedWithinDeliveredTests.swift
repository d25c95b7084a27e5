import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct ConsumedWithinDeliveredTests {
    @Test func `each use is a test`() throws {
        let history = Timeline(
            """
            delivery.consumed product=coins quantity=2
            delivery.consumed product=coins
            """)
        let report = try history.reports([ConsumedWithinDelivered.self])[0].report
        #expect(report.tested == 2)
        #expect(report.findings.map(\.level) == [.warning, .warning])
        #expect(
            report.findings.first?.message
                == "an account that is not named consumes 2 of coins: expected at most the 0 left "
                + "of what was delivered to it and not withdrawn")
    }
}
