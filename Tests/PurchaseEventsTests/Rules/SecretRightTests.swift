import Testing

@testable import PurchaseProjections

@Suite struct SecretRightTests {
    private func received(_ more: String) -> String {
        "notification.received notification=n name=RENEWAL version=1 \(more)"
    }

    @Test(arguments: ["secret=wrong", "signature=invalid"])
    func `nothing is taken from a notification that may be forged`(_ check: String) throws {
        try Timeline(
            """
            \(received(check))
            renewal.turnedOff original=t source=n ← secret-right
            renewal.turnedOff original=t source=m
            renewal.turnedOff original=t
            """
        ).expectPinned(SecretRight.self)
    }

    @Test(arguments: ["", "secret=right", "signature=valid", "signature=unchecked"])
    func `other notifications are believed`(_ check: String) throws {
        try Timeline(
            """
            \(received(check))
            renewal.turnedOff original=t source=n
            """
        ).expectPinned(SecretRight.self)
    }

    @Test func `the latest receipt of a notification counts`() throws {
        try Timeline(
            """
            \(received("secret=wrong"))
            \(received("secret=right"))
            renewal.turnedOff original=t source=n
            \(received("secret=wrong"))
            renewal.turnedOff original=t source=n ← secret-right
            """
        ).expectPinned(SecretRight.self)
    }

    @Test func `a fact that comes before its notification is judged by it`() throws {
        let text = """
            renewal.turnedOff original=t source=n ← secret-right
            \(received("secret=wrong"))
            """
        try Timeline(text).expectPinned(SecretRight.self)
        #expect(try Timeline("unopened\n" + text).verdict(SecretRight.self) == .undetermined)
    }

    @Test func `each notification is a test, wherever the log starts`() throws {
        let report = try Timeline(
            """
            unopened
            \(received("secret=wrong"))
            renewal.turnedOff original=t source=n
            \(received("secret=right"))
            """
        ).reports([SecretRight.self])[0].report
        #expect(report.tested == 2)
        #expect(report.findings.map(\.line) == [2])
    }
}
