import Testing

@testable import PurchaseEvents

/// A lapse is dated by periods that ended, never by periods that were taken back.
@Suite struct PeriodEndImportTests {
    /// A year of `t1` that was refunded on the first of March.
    private func year(_ more: String = "") -> String {
        row(
            "t1", product: "yearly", from: "2-20", to: "12-20",
            #""cancellation_date_ms":"\#(day("3-1").milliseconds)""# + more)
    }
    private var upgradedYear: String { year(#","is_upgraded":"true""#) }
    private let month = row("t2", from: "3-1", to: "4-1")

    private func pending(_ more: String) -> String {
        #"{"original_transaction_id":"t1","product_id":"monthly","expiration_intent":"2","#
            + more + "}"
    }

    @Test func `a failure is dated by the period that ran, and its grace counts`() throws {
        let retrying = pending(
            #""is_in_billing_retry_period":"1","#
                + #""grace_period_expires_date_ms":"\#(day("4-9").milliseconds)""#)
        for taken in [year(), upgradedYear] {
            let result = try imported(
                notification("DID_FAIL_TO_RENEW", [taken, month], pending: retrying))
            let last = try #require(result.events.last)
            #expect(last.type == .renewalFailed)
            #expect(last.at == day("4-1") && last.signedAt == day("4-1"))
        }
    }

    @Test func `a recovery is recorded after the failure`() throws {
        let recovered = row("t3", from: "4-5", to: "5-5")
        let result = try imported(
            notification(
                "DID_FAIL_TO_RENEW", [upgradedYear, month],
                pending: pending(#""is_in_billing_retry_period":"1""#)),
            notification("DID_RECOVER", [upgradedYear, month, recovered]))
        let names = result.events.compactMap { event -> String? in
            if case .notificationReceived(let told) = event.fact { told.name } else { nil }
        }
        #expect(names == ["DID_FAIL_TO_RENEW", "DID_RECOVER"])
    }

    @Test func `a response tells an expiry though an upgraded period would still run`() throws {
        let result = try imported(
            response(
                latest: [upgradedYear, month],
                pending: pending(#""is_in_billing_retry_period":"0""#), on: "4-15"))
        #expect(
            result.facts().last
                == .renewalExpired(
                    .init(
                        original: "t1", product: "monthly", expiresAt: day("4-1"),
                        reason: .billing)))
    }

    @Test func `a cancelled year that is said to have ended ended when it was cancelled`() throws {
        let cancelled = #""cancellation_date_ms":"\#(day("3-1").milliseconds)""#
        let plain = row("t1", product: "yearly", from: "2-20", to: "12-20")
        let texts = [
            notification("CANCEL", [year()], #""expiration_intent":1"#),
            notification("CANCEL", [plain], cancelled + #","expiration_intent":1"#),
        ]
        for text in texts {
            let result = try imported(text)
            #expect(Set(result.events.map(\.at)) == [day("3-1")])
            #expect(
                result.facts().last
                    == .renewalExpired(
                        .init(
                            original: "t1", product: "yearly", expiresAt: day("3-1"),
                            reason: .cancelled)))
            #expect(result.facts().first?.type == .cancellationRefunded)
            #expect(result.isComplete)
        }
    }

    @Test func `an upgraded row that doesn't say when it ended has no end`() throws {
        let upgraded = row("t1", from: "2-20", to: "12-20", #""is_upgraded":"true""#)
        let result = try imported(
            notification(
                "SOMETHING", [upgraded], pending: #"{"product_id":"monthly","expiration_intent":1}"#
            ))
        #expect(result.events.last?.at == day("2-20"))
        #expect(
            result.facts() == [
                .renewalExpired(.init(original: "t1", product: "monthly", reason: .cancelled))
            ])
    }
}
