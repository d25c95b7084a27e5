import Testing

@testable import PurchaseProjections

@Suite struct PriceConsentedTests {
    private func history(
        _ consents: String, first: String = "price=4990 currency=USD",
        then: String = "price=5990 currency=USD", type: String = "renewal.renewed"
    ) -> String {
        """
        renewal.started account=a transaction=t original=t product=p purchasedAt=2026-01-01 \
            expiresAt=2026-02-01 \(first)
        \(consents)
        \(type) account=a transaction=u original=t product=p purchasedAt=2026-02-01 \
            expiresAt=2026-03-01 \(then)
        """
    }

    private let pending = "renewal.priceIncreased original=t consent=pending at=2026-01-10"
    private let agreed = "renewal.priceIncreased original=t consent=agreed at=2026-01-20"

    @Test func `no renewal is dearer while consent is pending`() throws {
        try Timeline(history(pending) + " ← price-consented").expectPinned(PriceConsented.self)
        try Timeline(history("\(pending)\n\(agreed)")).expectPinned(PriceConsented.self)
    }

    @Test func `an expiry of the line ends the wait for consent`() throws {
        let expired = "renewal.expired original=t reason=priceIncrease at=2026-02-01"
        let late = "renewal.expired original=t reason=priceIncrease at=2026-02-03"
        let again = history("\(pending)\n\(expired)", type: "queue.purchased")
        try Timeline(again).expectPinned(PriceConsented.self)
        try Timeline(history("\(pending)\n\(late)") + " ← price-consented")
            .expectPinned(PriceConsented.self)
    }

    @Test func `consent after the renewal is too late`() throws {
        let late = "renewal.priceIncreased original=t consent=agreed signedAt=2026-02-02"
        try Timeline(history(pending) + " ← price-consented\n" + late)
            .expectPinned(PriceConsented.self)
        let crossed = "renewal.priceIncreased original=t consent=agreed signedAt=2026-01-30"
        try Timeline(history(pending) + "\n" + crossed).expectPinned(PriceConsented.self)
    }

    @Test func `the old price, another currency, an offer and a new start are no increase`() throws
    {
        let excused = [
            history(pending, then: "price=4990 currency=USD"),
            history(pending, then: "price=5990 currency=EUR"),
            history(pending, first: "price=0 currency=USD offer=introductory"),
            history(pending, then: "price=5990 currency=USD offer=winBack"),
            history(pending, type: "renewal.started"),
            history(pending).replacing("u original=t product=p", with: "u original=t product=q"),
        ]
        for text in excused { try Timeline(text).expectPinned(PriceConsented.self) }
    }

    @Test func `the rule can't tell if a price or consent may be missing`() throws {
        #expect(
            try Timeline(history(pending, then: "")).verdict(PriceConsented.self) == .undetermined)
        #expect(
            try Timeline("unopened\n" + history(pending)).verdict(PriceConsented.self)
                == .undetermined)
    }

    @Test func `each price increase is a test`() throws {
        let report = try Timeline(history("\(pending)\n\(agreed)")).reports([PriceConsented.self])
        #expect(report[0].report.tested == 2)
    }

    private func renewal(_ transaction: String, _ from: String, _ to: String, _ price: Int)
        -> String
    {
        "renewal.renewed account=a transaction=\(transaction) original=t product=p "
            + "purchasedAt=\(from) expiresAt=\(to) price=\(price) currency=USD"
    }

    @Test func `each renewal at a price that was not agreed to is found`() throws {
        try Timeline(
            """
            \(history(pending)) ← price-consented
            \(renewal("v", "2026-03-01", "2026-04-01", 5990)) ← price-consented
            \(renewal("w", "2026-04-01", "2026-05-01", 4990))
            \(renewal("x", "2026-05-01", "2026-06-01", 5990)) ← price-consented
            """
        ).expectPinned(PriceConsented.self)
    }

    @Test func `a price agreed to later applies from then on`() throws {
        try Timeline(
            """
            \(history(pending)) ← price-consented
            renewal.priceIncreased original=t consent=agreed at=2026-02-10
            \(renewal("v", "2026-03-01", "2026-04-01", 5990))
            renewal.priceIncreased original=t consent=pending at=2026-03-10
            \(renewal("w", "2026-04-01", "2026-05-01", 5990))
            """
        ).expectPinned(PriceConsented.self)
    }

    @Test func `consent from a test environment counts for tests only`() throws {
        let first =
            "receipt.listed transaction=t1 original=t1 price=1000 currency=EUR "
            + "purchasedAt=2026-01-01 expiresAt=2026-02-01"
        let second =
            "receipt.listed transaction=t2 original=t1 price=2000 currency=EUR "
            + "purchasedAt=2026-02-01 expiresAt=2026-03-01"
        let consent = "renewal.priceIncreased original=t1 consent=agreed signedAt=2026-01-20"
        try Timeline(
            """
            \(first)
            renewal.priceIncreased original=t1 consent=pending signedAt=2026-01-10
            \(consent) environment=sandbox
            \(second) ← price-consented
            """
        ).expectPinned(PriceConsented.self)
    }

    @Test func `a transaction of one line may key another, which has prices of its own`() throws {
        let period = "receipt.listed original=t product=basic currency=EUR account=a"
        try Timeline(
            """
            \(period) transaction=n purchasedAt=2026-01-01 expiresAt=2026-02-01 price=1000
            renewal.priceIncreased original=n consent=pending at=2026-01-10
            \(period) transaction=u purchasedAt=2026-02-01 expiresAt=2026-03-01 price=2000
            """
        ).expectPinned(PriceConsented.self)
    }
}
