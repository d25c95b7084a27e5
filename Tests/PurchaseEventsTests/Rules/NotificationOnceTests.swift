import Testing

@testable import PurchaseProjections

@Suite struct NotificationOnceTests {
    private let received = "notification.received notification=n name=RENEWAL version=1"

    @Test func `a repetition adds no facts`() throws {
        try Timeline(
            """
            \(received)
            renewal.turnedOff original=t source=n id=n#1
            renewal.turnedOn original=t source=n id=n#2
            \(received)
            renewal.turnedOff original=t source=n id=n#3 ← notification-once
            renewal.turnedOff original=t source=m
            renewal.turnedOff original=t
            """
        ).expectPinned(NotificationOnce.self)
    }

    @Test func `facts after a repetition are too late, also where none came before`() throws {
        try Timeline(
            """
            \(received)
            \(received)
            renewal.turnedOff original=t source=n ← notification-once
            renewal.turnedOn original=t source=n ← notification-once
            """
        ).expectPinned(NotificationOnce.self)
    }

    @Test func `each repetition is a test`() throws {
        let report = try Timeline("\(received)\n\(received)\n\(received)")
            .reports([NotificationOnce.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
        #expect(try Timeline(received).verdict(NotificationOnce.self) == .vacuous)
    }

    @Test func `a log that starts in the middle blames only what it shows`() throws {
        try Timeline(
            """
            unopened
            renewal.turnedOff original=t source=n
            \(received)
            renewal.turnedOff original=t source=n
            \(received)
            renewal.turnedOff original=t source=n ← notification-once
            """
        ).expectPinned(NotificationOnce.self)
    }
}
