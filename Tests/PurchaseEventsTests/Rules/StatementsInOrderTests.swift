import Testing

@testable import PurchaseProjections

@Suite struct StatementsInOrderTests {
    @Test func `a statement that arrives after a later-signed one is a note`() throws {
        try Timeline(
            """
            renewal.turnedOn original=t signedAt=2026-01-03
            renewal.turnedOff original=t signedAt=2026-01-02 ← statements-in-order
            receipt.listed transaction=t signedAt=2026-01-01 ← statements-in-order
            renewal.turnedOff original=t signedAt=2026-01-03
            """
        ).expectPinned(StatementsInOrder.self)
    }

    @Test func `lines and transactions outside any line are separate`() throws {
        try Timeline(
            """
            receipt.listed transaction=t signedAt=2026-01-03
            receipt.listed transaction=u signedAt=2026-01-02
            receipt.listed transaction=v original=t signedAt=2026-01-02 ← statements-in-order
            cancellation.requested transaction=u signedAt=2026-01-01 ← statements-in-order
            """
        ).expectPinned(StatementsInOrder.self)
    }

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

    @Test func `a finding stands in a log that starts in the middle`() throws {
        try Timeline(
            """
            unopened
            renewal.turnedOn original=t signedAt=2026-01-03
            renewal.turnedOff original=t signedAt=2026-01-02 ← statements-in-order
            """
        ).expectPinned(StatementsInOrder.self)
    }

    @Test func `a statement that names no original is one about its line`() throws {
        try Timeline(
            """
            queue.purchased transaction=t2 signedAt=2026-01-10
            renewal.renewed transaction=t2 original=t1 expiresAt=2026-03-01 signedAt=2026-01-05 ← statements-in-order
            renewal.turnedOff original=t1 signedAt=2026-01-08 ← statements-in-order
            """
        ).expectPinned(StatementsInOrder.self)
    }

    @Test func `a line that a transaction keys is not the line that it is of`() throws {
        try Timeline(
            """
            queue.restored transaction=t1 original=t2 signedAt=2026-01-10
            receipt.listed transaction=t2 original=t3 signedAt=2026-01-05
            """
        ).expectPinned(StatementsInOrder.self)
    }
}
