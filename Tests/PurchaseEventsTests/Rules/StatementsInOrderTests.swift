import Testing

@testable import PurchaseProjections

@Suite struct StatementsInOrderTests {
    @Test func `the note counts the crossings`() throws {
        let report = try Timeline(
            """
            renewal.turnedOn original=t signedAt=2026-01-03
            renewal.turnedOff original=t signedAt=2026-01-02
            renewal.turnedOff original=t signedAt=2026-01-01
            renewal.turnedOff original=t
            """
        ).reports([StatementsInOrder.self])[0].report
        #expect(report.tested == 3)
        #expect(report.findings.map { $0.message.contains("2 so far") } == [false, true])
        #expect(report.findings.map(\.level) == [.note, .note])
    }
}
