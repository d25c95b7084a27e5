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

    @Test(arguments: ["sandbox", "xcode"])
    func `the restore of a test purchase is not delivered in production`(
        _ environment: String
    ) throws {
        let timeline = Timeline(
            """
            receipt.listed environment=\(environment) transaction=t kind=nonConsumable
            queue.restored transaction=r original=t
            delivery.delivered transaction=r ← environments-apart
            queue.finished transaction=r
            delivery.withdrawn transaction=r reason=expired
            receipt.listed transaction=t kind=nonConsumable
            delivery.delivered transaction=r
            """)
        try timeline.expectPinned(
            EnvironmentsApart.self, FinishedImpliesPersisted.self, WithdrawalHasAReason.self)
        let finding = try timeline.reports([EnvironmentsApart.self])[0].report.findings.first
        #expect(finding?.notes.map(\.line) == [2, 3])
        #expect(
            finding?.message.hasPrefix(
                "transaction r, which restores transaction t of the environment \(environment),")
                == true)
    }
}
