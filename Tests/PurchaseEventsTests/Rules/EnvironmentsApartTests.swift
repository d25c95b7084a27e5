import Testing

@testable import PurchaseProjections

@Suite struct EnvironmentsApartTests {
    @Test(arguments: ["sandbox", "xcode"])
    func `what a test environment attests is not delivered in production`(
        _ environment: String
    ) throws {
        try Timeline(
            """
            receipt.listed environment=\(environment) transaction=t
            delivery.delivered transaction=t ← environments-apart
            delivery.delivered environment=\(environment) transaction=t
            """
        ).expectPinned(EnvironmentsApart.self)
    }

    @Test func `in a log of the sandbox everything is of the sandbox`() throws {
        try Timeline(
            """
            log.opened schema=1 environment=sandbox
            queue.purchased transaction=t
            delivery.delivered transaction=t
            delivery.delivered environment=production transaction=t ← environments-apart
            """
        ).expectPinned(EnvironmentsApart.self)
    }

    @Test func `a statement of production is enough`() throws {
        try Timeline(
            """
            receipt.listed environment=sandbox transaction=t
            receipt.listed environment=production transaction=t
            delivery.delivered transaction=t
            """
        ).expectPinned(EnvironmentsApart.self)
    }

    @Test func `what production attests may be delivered anywhere`() throws {
        try Timeline(
            """
            receipt.listed transaction=t
            delivery.delivered environment=sandbox transaction=t
            """
        ).expectPinned(EnvironmentsApart.self)
    }

    @Test func `each delivery of what was attested is a test`() throws {
        let report = try Timeline(
            """
            queue.purchased transaction=t
            delivery.delivered transaction=t
            delivery.delivered transaction=unknown
            """
        ).reports([EnvironmentsApart.self])[0].report
        #expect(report.tested == 1)
    }

    @Test func `in a log that starts in the middle an unsaid environment can't be told`() throws {
        let unsaid = Timeline(
            """
            unopened
            receipt.listed environment=sandbox transaction=t
            delivery.delivered transaction=t
            """)
        #expect(try unsaid.verdict(EnvironmentsApart.self) == .undetermined)
    }

    @Test func `a statement of production may be missing`() throws {
        let histories = [
            """
            unopened
            receipt.listed environment=sandbox transaction=t
            delivery.delivered environment=production transaction=t
            """,
            """
            receipt.listed environment=sandbox transaction=t
            what is this
            delivery.delivered transaction=t
            """,
        ]
        for history in histories {
            #expect(try Timeline(history).verdict(EnvironmentsApart.self) == .undetermined)
        }
        try Timeline(
            """
            receipt.listed environment=sandbox transaction=t
            delivery.delivered transaction=t ← environments-apart
            what is this
            """
        ).expectPinned(EnvironmentsApart.self)
    }
}
