import PurchaseEvents
@testable import PurchaseProjections
import Testing

@Suite struct UnlockedAgainAtLaunchTests {
    @Test func `a launch that unlocks one of two is found at the launch`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=nonConsumable product=birds account=ada
            delivery.delivered transaction=t1 account=ada
            receipt.listed transaction=t2 kind=nonConsumable product=trees account=ada
            delivery.delivered transaction=t2 account=ada
            app.launched ← unlocked-again-at-launch
            delivery.unlocked product=birds account=ada
            app.launched ← unlocked-again-at-launch
            delivery.unlocked product=trees
            """
        ).expectPinned(UnlockedAgainAtLaunch.self)
    }

    @Test func `a launch that unlocks all, or nothing, is fine`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=nonConsumable product=birds account=ada
            delivery.delivered transaction=t1 account=ada
            receipt.listed transaction=t2 kind=nonConsumable product=trees account=ada
            delivery.delivered transaction=t2 account=ada
            app.launched
            app.launched
            delivery.unlocked product=trees account=ada
            queue.observed
            delivery.unlocked product=birds account=ada
            """
        ).expectPinned(UnlockedAgainAtLaunch.self)
    }

    @Test func `a launch that unlocks nothing is no test`() throws {
        let history = Timeline(
            """
            receipt.listed transaction=t1 kind=nonConsumable product=birds account=ada
            delivery.delivered transaction=t1 account=ada
            receipt.listed transaction=t2 kind=nonConsumable product=trees account=ada
            delivery.delivered transaction=t2 account=ada
            app.launched
            """)
        #expect(try history.verdict(UnlockedAgainAtLaunch.self) == .vacuous)
    }

    @Test func `an ended product is not owed`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=nonConsumable product=birds account=ada
            delivery.delivered transaction=t1 account=ada
            receipt.listed transaction=t2 kind=nonConsumable product=trees account=ada
            delivery.delivered transaction=t2 account=ada
            cancellation.refunded transaction=t1
            receipt.listed transaction=t3 kind=autoRenewable product=monthly at=2026-02-20 expiresAt=2026-03-20
            delivery.delivered transaction=t3
            receipt.listed transaction=t4 kind=nonRenewing product=season
            delivery.delivered transaction=t4 until=2026-03-01
            receipt.listed transaction=t5 kind=consumable product=coins
            delivery.delivered transaction=t5
            app.launched at=2026-03-21
            delivery.unlocked product=trees
            """
        ).expectPinned(UnlockedAgainAtLaunch.self)
    }

    @Test func `a product that still runs is owed`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=nonConsumable product=birds account=ada
            delivery.delivered transaction=t1 account=ada
            receipt.listed transaction=t2 kind=nonConsumable product=trees account=ada
            delivery.delivered transaction=t2 account=ada
            receipt.listed transaction=t3 kind=autoRenewable product=monthly at=2026-02-20 expiresAt=2026-03-20
            delivery.delivered transaction=t3
            app.launched at=2026-03-19 ← unlocked-again-at-launch
            delivery.unlocked product=trees
            delivery.unlocked product=birds
            app.launched at=2026-03-20
            delivery.unlocked product=trees
            delivery.unlocked product=birds
            """
        ).expectPinned(UnlockedAgainAtLaunch.self)
    }

    @Test
    func `only deliveries on the device that stand at the launch are judged`()
        throws
    {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=nonConsumable product=birds account=ada
            delivery.delivered transaction=t1 account=ada
            receipt.listed transaction=t2 kind=nonConsumable product=trees account=ada
            delivery.delivered transaction=t2 account=ada
            receipt.listed transaction=t3 kind=nonConsumable product=stars
            delivery.delivered transaction=t3 device=tablet
            app.launched
            delivery.withdrawn transaction=t1 reason=other
            receipt.listed transaction=t4 kind=nonConsumable product=moons
            delivery.delivered transaction=t4
            delivery.unlocked product=trees
            """
        ).expectPinned(UnlockedAgainAtLaunch.self)
    }

    @Test func `another account's launch unlocks its own`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=nonConsumable product=birds account=ada
            delivery.delivered transaction=t1 account=ada
            receipt.listed transaction=t2 kind=nonConsumable product=trees account=ada
            delivery.delivered transaction=t2 account=ada
            receipt.listed transaction=t3 kind=nonConsumable product=stars account=bob
            delivery.delivered transaction=t3 account=bob
            app.launched
            delivery.unlocked product=stars account=bob
            """
        ).expectPinned(UnlockedAgainAtLaunch.self)
    }

    @Test func `a product delivered again after a reversed refund is owed again`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=nonConsumable product=birds account=ada
            delivery.delivered transaction=t1 account=ada
            receipt.listed transaction=t2 kind=nonConsumable product=trees account=ada
            delivery.delivered transaction=t2 account=ada
            cancellation.refunded transaction=t1
            delivery.withdrawn transaction=t1 reason=refunded
            app.launched
            delivery.unlocked product=trees
            cancellation.reversed transaction=t1
            delivery.delivered transaction=t1
            app.launched ← unlocked-again-at-launch
            delivery.unlocked product=trees
            """
        ).expectPinned(UnlockedAgainAtLaunch.self)
    }

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

    @Test func `a line that was not understood may have unlocked it`() throws {
        let history = Timeline(
            """
            receipt.listed transaction=t1 kind=nonConsumable product=birds account=ada
            delivery.delivered transaction=t1 account=ada
            receipt.listed transaction=t2 kind=nonConsumable product=trees account=ada
            delivery.delivered transaction=t2 account=ada
            app.launched
            delivery.unlocked product=trees
            not a line of this log
            """)
        #expect(try history.verdict(UnlockedAgainAtLaunch.self) == .undetermined)
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

    @Test func `a grace period is owed`() throws {
        try Timeline(
            """
            receipt.listed transaction=t1 kind=nonConsumable product=birds account=ada
            delivery.delivered transaction=t1 account=ada
            renewal.started transaction=t2 original=t2 product=monthly account=ada at=2026-02-20 expiresAt=2026-03-20
            delivery.delivered transaction=t2 account=ada
            renewal.failed original=t2 retrying=true graceExpiresAt=2026-03-30 at=2026-03-20
            app.launched at=2026-03-29 ← unlocked-again-at-launch
            delivery.unlocked product=birds
            app.launched at=2026-03-30
            delivery.unlocked product=birds
            """
        ).expectPinned(UnlockedAgainAtLaunch.self)
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
