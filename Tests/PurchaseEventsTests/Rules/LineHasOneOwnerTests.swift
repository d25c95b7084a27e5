import Testing

@testable import PurchaseProjections

@Suite struct LineHasOneOwnerTests {
    private let start =
        "renewal.started account=a transaction=t original=t "
        + "purchasedAt=2026-01-01 expiresAt=2026-02-01"
    private let renewal =
        "renewal.renewed transaction=u original=t purchasedAt=2026-02-01 expiresAt=2026-03-01"

    @Test func `the statements about a subscription name one account`() throws {
        try Timeline(
            """
            \(start)
            \(renewal) account=b ← line-has-one-owner
            receipt.listed account=c transaction=t ← line-has-one-owner
            renewal.turnedOff account=b original=t ← line-has-one-owner
            renewal.turnedOn account=a original=t
            """
        ).expectPinned(LineHasOneOwner.self)
    }

    @Test func `a missing account is not another account`() throws {
        try Timeline("\(renewal)\n\(start)\n\(renewal)").expectPinned(LineHasOneOwner.self)
    }

    @Test func `a link moves the subscription, and statements may name an earlier owner`() throws {
        try Timeline(
            """
            \(start)
            account.linked account=b original=t from=a
            \(renewal) account=b
            renewal.turnedOff account=a original=t
            renewal.turnedOff account=c original=t ← line-has-one-owner
            """
        ).expectPinned(LineHasOneOwner.self)
    }

    @Test func `other rules check restores and deliveries to another account`() throws {
        try Timeline(
            """
            \(start)
            queue.restored account=b transaction=r original=t
            delivery.delivered account=b transaction=t
            """
        ).expectPinned(LineHasOneOwner.self)
    }

    @Test func `a transaction outside any subscription is not tested`() throws {
        let verdict = try Timeline(
            """
            queue.purchased account=a transaction=t
            receipt.listed account=b transaction=t original=t
            """
        ).verdict(LineHasOneOwner.self)
        #expect(verdict == .vacuous)
    }

    @Test func `each subscription is a test`() throws {
        let report = try Timeline("\(start)\n\(renewal) account=a").reports([LineHasOneOwner.self])
        #expect(report[0].report.tested == 1)
    }

    @Test func `the link may be missing`() throws {
        for text in [
            "unopened\n\(start)\n\(renewal) account=b",
            "\(start)\nwhat is this\n\(renewal) account=b",
            "what is this\n\(start)\n\(renewal) account=b",
        ] {
            #expect(try Timeline(text).verdict(LineHasOneOwner.self) == .undetermined)
        }
        try Timeline("\(start)\n\(renewal) account=b ← line-has-one-owner\nwhat is this")
            .expectPinned(LineHasOneOwner.self)
    }

    @Test func `a log of unknown environment may reuse transaction identifiers`() throws {
        let dates = "purchasedAt=2026-03-01 expiresAt=2026-04-01"
        let text = """
            unopened
            renewal.renewed transaction=t2 original=t1 \(dates)
            receipt.listed transaction=t2 original=t9 \(dates)
            """
        #expect(try Timeline(text).verdict(LineHasOneOwner.self) == .undetermined)
        let said = text.replacing("original=t9", with: "environment=production original=t9")
        let report = try Timeline(said).reports([LineHasOneOwner.self])[0].report
        #expect(report.verdict == .violated)
        #expect(report.tested == 1)
    }

    @Test func `a transaction belongs to one subscription`() throws {
        let dates = "purchasedAt=2026-03-01 expiresAt=2026-04-01"
        try Timeline(
            """
            renewal.started transaction=t1 original=t1 purchasedAt=2026-02-01 expiresAt=2026-03-01
            renewal.started transaction=t9 original=t9 purchasedAt=2026-02-01 expiresAt=2026-03-01
            renewal.renewed transaction=t2 original=t1 \(dates)
            queue.purchased transaction=t2 \(dates)
            receipt.listed transaction=t2 original=t9 \(dates) ← line-has-one-owner
            receipt.listed transaction=t2 original=t1 \(dates)
            """
        ).expectPinned(LineHasOneOwner.self)
    }

    @Test func `a link names the previous owner of the subscription`() throws {
        let renewal = "renewal.renewed transaction=u original=t account=a expiresAt=2026-03-01"
        for before in ["app.launched", "receipt.listed transaction=u original=t account=b"] {
            let linked = "\(before)\naccount.linked original=t account=b"
            try Timeline("\(linked) from=a\n\(renewal)").expectPinned(LineHasOneOwner.self)
            try Timeline("\(linked) from=c\n\(renewal) ← line-has-one-owner")
                .expectPinned(LineHasOneOwner.self)
        }
    }

    @Test func `a purchase without an end and a reversal name the subscription's account too`()
        throws
    {
        try Timeline(
            """
            queue.purchased account=a transaction=t purchasedAt=2025-12-01
            \(renewal) account=b ← line-has-one-owner
            cancellation.reversed account=b transaction=u ← line-has-one-owner
            cancellation.reversed account=a transaction=u
            """
        ).expectPinned(LineHasOneOwner.self)
    }

    @Test func `the owner is the account of the least version, whatever arrived first`() throws {
        try Timeline(
            """
            \(renewal) account=b ← line-has-one-owner
            renewal.turnedOff account=b original=t ← line-has-one-owner
            \(start)
            """
        ).expectPinned(LineHasOneOwner.self)
    }

    @Test func `a statement counts also before the log knows its line`() throws {
        let renewed = """
            renewal.renewed account=a transaction=u original=t product=p signedAt=2026-02-01 \
                purchasedAt=2026-02-01 expiresAt=2026-03-01
            """
        let bought = """
            queue.purchased account=b transaction=t product=p purchasedAt=2026-03-02 \
                signedAt=2026-03-02 ← line-has-one-owner
            """
        for text in ["\(bought)\n\(renewed)", "\(renewed)\n\(bought)"] {
            try Timeline(text).expectPinned(LineHasOneOwner.self)
        }
    }

    @Test func `a transaction is put in another line before the log knows the line`() throws {
        try Timeline(
            """
            cancellation.revoked transaction=s original=s cancelledAt=2026-01-01
            cancellation.revoked transaction=s original=t cancelledAt=2026-01-01 \
                ← line-has-one-owner
            renewal.failed original=t
            """
        ).expectPinned(LineHasOneOwner.self)
    }

    @Test func `what a restore named counts once the purchase is stated, in any order`() throws {
        let restored =
            "queue.restored account=a transaction=s original=s product=p "
            + "purchasedAt=2026-01-01"
        let bought = "queue.purchased transaction=s product=p purchasedAt=2026-01-01"
        let turnedOff = "renewal.turnedOff account=b original=s at=2026-01-02 ← line-has-one-owner"
        for text in [[restored, turnedOff, bought], [bought, restored, turnedOff]] {
            try Timeline(text.joined(separator: "\n")).expectPinned(LineHasOneOwner.self)
        }
    }
}
