import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// The shared secret: its effect, and that it is never shown.
@Suite struct SharedSecretTests {
    private let text = notification("INITIAL_BUY", [february], #""password":"s3cret-s3cret""#)

    @Test func `the right secret is told as right, and everything is taken`() throws {
        let result = try imported(text, secret: "s3cret-s3cret\n")
        #expect(result.text.contains(#""secret":"right""#))
        #expect(result.rows.count == 1)
        #expect(!result.text.contains("s3cret"))
    }

    @Test(arguments: [#""password":"other-s3cret""#, #""bvrs":"1""#, #""password":5"#])
    func `of a notification with a wrong secret only its arrival is taken`(more: String) throws {
        let forged = notification("INITIAL_BUY", [february], more)
        let result = try imported(
            forged, secret: "s3cret-s3cret", recordedAt: "2026-08-01T00:00:00Z")
        #expect(result.events.map(\.type) == [.logOpened, .notificationReceived])
        #expect(result.text.contains(#""secret":"wrong""#))
        #expect(result.events.allSatisfy { $0.environment == nil && $0.at == day("8-1") })
        #expect(!result.text.contains("com.example.app"))
        #expect(!(result.text + result.remarks.description).contains("s3cret"))
    }

    @Test func `a wrong copy of a notification has another name than the right one`() throws {
        let forged = notification("INITIAL_BUY", [february], #""password":"other""#)
        let result = try imported(forged, text, secret: "s3cret-s3cret")
        let names = result.events.compactMap { event in
            if case .notificationReceived(let told) = event.fact { told.notification } else { nil }
        }
        #expect(Set(names).count == 2)
        #expect(result.rows.count == 1)
        #expect(Set(result.events.compactMap(\.source)).count == 1)
        #expect(Set(result.events.map(\.at)) == [day("2-20")])
    }

    @Test func `without an expected secret nothing is said of it`() throws {
        let result = try imported(text)
        #expect(!result.text.contains("secret") && !result.text.contains("s3cret"))
        #expect(result.rows.count == 1)
        #expect(!result.remarks.description.contains("s3cret"))
    }

    @Test func `the name of a notification does not depend on its password`() throws {
        let other = notification("INITIAL_BUY", [february], #""password":"other""#)
        #expect(try imported(text).text == (try imported(other).text))
    }

    @Test func `an empty secret is none, and a secret does not describe itself`() {
        #expect(SharedSecret(" \n".utf8) == nil)
        let secret = SharedSecret("abc".utf8)
        #expect(secret.map { "\($0)" } == "a shared secret")
    }
}
