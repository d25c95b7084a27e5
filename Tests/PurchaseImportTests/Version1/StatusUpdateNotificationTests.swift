import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// What no story says of version 1 notifications and their secret.
struct StatusUpdateNotificationTests {
    @Test func `facts do not depend on what is imported beside them`() throws {
        let alone = try imported(notification("INITIAL_BUY", [february]))
        let together = try imported(
            notification("INITIAL_BUY", [february]), notification("DID_RENEW", [february, march]))
        let statements = try together.events.map { try LineWriter.content(of: $0) }
        for event in alone.events {
            #expect(statements.contains(try LineWriter.content(of: event)))
        }
    }

    @Test func `an empty secret is none, and a secret does not describe itself`() {
        #expect(SharedSecret(" \n".utf8) == nil)
        let secret = SharedSecret("abc".utf8)
        #expect(secret.map { "\($0)" } == "a shared secret")
    }
}
