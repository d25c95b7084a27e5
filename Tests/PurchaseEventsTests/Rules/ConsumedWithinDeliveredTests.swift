import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct ConsumedWithinDeliveredTests {
    @Test func `what one account used before its refund is not taken from another`() throws {
        try Timeline(
            """
            catalog.listed product=coins kind=consumable
            queue.purchased transaction=t1 product=coins account=a
            delivery.delivered transaction=t1 account=a
            delivery.consumed product=coins account=a
            cancellation.refunded transaction=t1 cancelledAt=2026-01-02 account=a
            delivery.withdrawn transaction=t1 reason=refunded account=a
            queue.purchased transaction=t2 product=coins account=b
            delivery.delivered transaction=t2 account=b
            delivery.consumed product=coins account=b
            """
        ).expectPinned(ConsumedWithinDelivered.self)
    }

    @Test func `no more is used than was delivered`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=consumable product=coins quantity=3 account=ada
            delivery.delivered transaction=t1 account=ada
            delivery.consumed product=coins account=ada quantity=2
            delivery.consumed product=coins account=ada
            delivery.consumed product=coins account=ada ← consumed-within-delivered
            """
        ).expectPinned(ConsumedWithinDelivered.self)
    }

    @Test func `withdrawn units are not available`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=consumable product=coins quantity=3
            delivery.delivered transaction=t1 account=ada quantity=2
            delivery.withdrawn transaction=t1 account=ada reason=refunded
            delivery.consumed product=coins account=ada ← consumed-within-delivered
            delivery.delivered transaction=t1 account=ada quantity=1
            delivery.consumed product=coins account=ada
            """
        ).expectPinned(ConsumedWithinDelivered.self)
    }

    @Test func `excess use is not held against later uses`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=consumable product=coins
            delivery.delivered transaction=t1 account=ada
            delivery.consumed product=coins account=ada quantity=5 ← consumed-within-delivered
            receipt.listed transaction=t2 kind=consumable product=coins
            delivery.delivered transaction=t2 account=ada
            delivery.consumed product=coins account=ada
            """
        ).expectPinned(ConsumedWithinDelivered.self)
    }

    @Test func `each account and product has its own balance`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=consumable product=coins
            delivery.delivered transaction=t1 account=ada
            delivery.consumed product=coins account=bob ← consumed-within-delivered
            delivery.consumed product=gems account=ada ← consumed-within-delivered
            delivery.consumed product=coins account=ada
            """
        ).expectPinned(ConsumedWithinDelivered.self)
    }

    @Test func `a delivery without an account may be used by any account, once`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=consumable product=coins quantity=2
            delivery.delivered transaction=t1
            delivery.consumed product=coins account=ada
            delivery.consumed product=coins account=bob
            delivery.consumed product=coins account=ada ← consumed-within-delivered
            """
        ).expectPinned(ConsumedWithinDelivered.self)
    }

    @Test func `a use without an account may be by any account`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=consumable product=coins account=ada
            delivery.delivered transaction=t1 account=ada
            delivery.consumed product=coins
            delivery.consumed product=coins ← consumed-within-delivered
            """
        ).expectPinned(ConsumedWithinDelivered.self)
    }

    @Test func `a delivery without an account is the owner's`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=consumable product=coins account=ada
            delivery.delivered transaction=t1
            delivery.consumed product=coins account=bob ← consumed-within-delivered
            delivery.consumed product=coins account=ada
            """
        ).expectPinned(ConsumedWithinDelivered.self)
    }

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

    @Test func `a delivery may lie before the log starts`() throws {
        let history = Timeline(
            """
            unopened
            delivery.consumed product=coins
            """)
        #expect(try history.verdict(ConsumedWithinDelivered.self) == .undetermined)
    }

    @Test func `what was delivered in the sandbox is not used in production`() throws {
        try Timeline(
            """
            catalog.listed product=coins kind=consumable
            queue.purchased transaction=t1 product=coins account=ada environment=sandbox
            delivery.delivered transaction=t1 account=ada environment=sandbox
            delivery.consumed product=coins account=ada ← consumed-within-delivered
            delivery.consumed product=coins account=ada environment=sandbox
            """
        ).expectPinned(ConsumedWithinDelivered.self)
    }

    @Test func `a delivery before its statement counts until it is withdrawn`() throws {
        try Timeline(
            """
            catalog.listed product=coins kind=consumable
            delivery.delivered transaction=t1 account=ada
            delivery.consumed product=coins account=ada quantity=2
            queue.purchased transaction=t1 product=coins quantity=2 account=ada
            delivery.consumed product=coins account=ada ← consumed-within-delivered
            delivery.delivered transaction=t2 account=ada
            delivery.withdrawn transaction=t2 reason=other account=ada
            delivery.consumed product=coins account=ada ← consumed-within-delivered
            queue.purchased transaction=t2 product=coins account=ada
            delivery.delivered transaction=t3 account=ada
            """
        ).expectPinned(ConsumedWithinDelivered.self)
    }

    @Test func `a withdrawal before the statement takes nobody's unit`() throws {
        try Timeline(
            """
            catalog.listed product=coins kind=consumable
            queue.purchased transaction=t1 product=coins account=ada
            delivery.delivered transaction=t1 account=ada
            delivery.delivered transaction=t2 account=ada
            queue.purchased transaction=t2 product=coins account=ada
            delivery.withdrawn transaction=t2 reason=other account=ada
            delivery.consumed product=coins account=ada
            delivery.consumed product=coins account=ada ← consumed-within-delivered
            """
        ).expectPinned(ConsumedWithinDelivered.self)
    }

    @Test func `a withdrawal takes back what was delivered, whoever is named`() throws {
        try Timeline(
            """
            catalog.listed product=coins kind=consumable
            queue.purchased transaction=t1 product=coins account=ada
            delivery.delivered transaction=t1 account=ada
            delivery.withdrawn transaction=t1 reason=other account=bob
            delivery.consumed product=coins account=ada ← consumed-within-delivered
            queue.purchased transaction=t2 product=coins quantity=2
            delivery.delivered transaction=t2 account=ada quantity=1
            delivery.delivered transaction=t2 account=bob quantity=1
            delivery.withdrawn transaction=t2 reason=other
            delivery.consumed product=coins account=ada ← consumed-within-delivered
            delivery.consumed product=coins account=bob ← consumed-within-delivered
            """
        ).expectPinned(ConsumedWithinDelivered.self)
    }
}
