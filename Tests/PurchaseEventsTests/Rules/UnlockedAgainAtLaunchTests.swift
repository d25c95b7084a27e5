import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct UnlockedAgainAtLaunchTests {
    @Test func `each launch that unlocks is a test, and the finding names what was left out`()
        throws
    {
        let history = Timeline(
            """
            receipt.listed transaction=t1 kind=nonConsumable product=birds account=ada
            delivery.delivered transaction=t1 account=ada
            receipt.listed transaction=t2 kind=nonConsumable product=trees account=ada
            delivery.delivered transaction=t2 account=ada
            app.launched
            delivery.unlocked product=trees
            app.launched
            """)
        let report = try history.reports([UnlockedAgainAtLaunch.self])[0].report
        #expect(report.tested == 1)
        let finding = try #require(report.findings.first)
        #expect(finding.level == .note)
        #expect(finding.key == "t1")
        #expect(
            finding.notes == [
                Finding.Note(
                    line: 3, message: "let transaction t1 of birds for account ada be delivered"),
                Finding.Note(line: 7, message: "then trees was found unlocked"),
            ])
    }

    @Test func `a launch is judged by the refunds that were known at it`() throws {
        let timeline = Timeline(
            """
            receipt.listed transaction=t1 kind=nonConsumable product=birds account=ada
            delivery.delivered transaction=t1 account=ada
            receipt.listed transaction=t2 kind=nonConsumable product=trees account=ada
            delivery.delivered transaction=t2 account=ada
            app.launched ← unlocked-again-at-launch
            delivery.unlocked product=trees
            cancellation.refunded transaction=t1
            app.launched
            delivery.unlocked product=trees
            cancellation.reversed transaction=t1
            app.launched
            delivery.unlocked product=trees
            """)
        try timeline.expectPinned(UnlockedAgainAtLaunch.self)
        let finding = try timeline.reports([UnlockedAgainAtLaunch.self])[0].report.findings[0]
        #expect(finding.notes.map(\.line) == [3, 7, 12])
        #expect(finding.notes.last?.message == "then this was the last of 2 such launches")
    }

    @Test func `a product that several launches leave out is one finding that counts them`()
        throws
    {
        let launch = "app.launched\ndelivery.unlocked product=birds account=ada"
        let timeline = Timeline(
            """
            receipt.listed transaction=t1 kind=nonConsumable product=birds account=ada
            delivery.delivered transaction=t1 account=ada
            receipt.listed transaction=t2 kind=nonConsumable product=trees account=ada
            delivery.delivered transaction=t2 account=ada
            app.launched ← unlocked-again-at-launch
            delivery.unlocked product=birds account=ada
            \(launch)
            \(launch)
            delivery.unlocked product=trees account=ada
            \(launch)
            delivery.withdrawn transaction=t2 reason=other
            \(launch)
            """)
        try timeline.expectPinned(UnlockedAgainAtLaunch.self)
        let report = try timeline.reports([UnlockedAgainAtLaunch.self])[0].report
        #expect(report.tested == 5)
        #expect(
            report.findings[0].message
                == "the launch unlocked 1, but left out trees, granted before and still owed, as "
                + "1 later one did: expected delivery.unlocked of it")
        #expect(report.findings[0].notes.map(\.line) == [5, 7, 8])
    }
}
