import Testing

@testable import PurchaseProjections

@Suite struct RestoreGrantsAllTests {
    @Test func `a product that several restores miss is one finding that counts them`() throws {
        let restore = "restore.requested by=user account=a\nrestore.completed account=a"
        let timeline = Timeline(
            """
            receipt.listed transaction=t1 product=songs kind=nonConsumable account=a
            receipt.listed transaction=t2 product=tales kind=nonConsumable account=a
            delivery.delivered transaction=t2
            \(restore) ← restore-grants-all
            \(restore)
            delivery.unlocked product=songs account=a
            \(restore)
            delivery.withdrawn transaction=t2 reason=other
            \(restore) ← restore-grants-all
            delivery.withdrawn transaction=t1 reason=other
            \(restore)
            """)
        try timeline.expectPinned(RestoreGrantsAll.self)
        let report = try timeline.reports([RestoreGrantsAll.self])[0].report
        #expect(report.tested == 5)
        #expect(
            report.findings.map(\.message) == [
                "the restore and 2 later ones completed without songs, transaction t1: expected "
                    + "it granted, pending or left out by restore.selected",
                "the restore and 1 later one completed without tales, transaction t2: expected "
                    + "it granted, pending or left out by restore.selected",
            ])
        #expect(report.findings.map { $0.notes.map(\.line) } == [[2, 5, 17], [3, 13, 17]])
        #expect(
            report.findings[0].notes.last?.message == "then this was the last of 3 such restores")
    }

    @Test func `a subscription is missed by the restores of its periods`() throws {
        let timeline = Timeline(
            """
            renewal.started transaction=t1 original=t1 product=paper purchasedAt=2026-01-01 expiresAt=2026-02-01 account=a
            renewal.renewed transaction=t2 original=t1 product=paper purchasedAt=2026-03-01 expiresAt=2026-04-01 account=a
            restore.requested by=user account=a at=2026-01-20
            restore.completed account=a ← restore-grants-all
            restore.completed account=a
            restore.requested by=user account=a at=2026-02-10
            restore.completed account=a
            restore.requested by=user account=a at=2026-03-10
            restore.completed account=a
            """)
        try timeline.expectPinned(RestoreGrantsAll.self)
        let report = try timeline.reports([RestoreGrantsAll.self])[0].report
        #expect(report.findings.first?.notes.map(\.line) == [2, 4, 10])
        #expect(
            report.findings.first?.notes.last?.message
                == "then this was the last of 3 such restores")
    }

    @Test func `what several selections leave out is counted apart`() throws {
        let timeline = Timeline(
            """
            receipt.listed transaction=t1 product=songs kind=nonConsumable account=a
            receipt.listed transaction=t2 product=tales kind=nonConsumable account=a
            restore.requested by=user account=a
            restore.selected product=tales
            restore.completed account=a ← restore-grants-all
            restore.completed account=a
            restore.requested by=user account=a
            restore.completed account=a ← restore-grants-all
            restore.requested by=user account=a
            restore.selected product=songs
            restore.completed account=a
            """)
        try timeline.expectPinned(RestoreGrantsAll.self)
        let report = try timeline.reports([RestoreGrantsAll.self])[0].report
        #expect(report.findings.map(\.key) == ["t2", "t1"])
        #expect(report.findings.map { $0.notes.map(\.line) } == [[3, 4, 9], [2, 8, 12]])
    }

    @Test func `each restore that completes is a test`() throws {
        let report = try Timeline(
            """
            restore.requested by=user account=a
            restore.completed account=a
            restore.requested by=user account=a
            restore.failed error=network account=a
            """
        ).reports([RestoreGrantsAll.self])[0].report
        #expect(report.tested == 1)
        #expect(report.verdict == .holds)
    }

    /// A product is never accused by a kind that is no longer followed.
    @Test(arguments: [(4, Verdict.violated), (40, .undetermined)])
    func `a kind that changes too often is undetermined`(
        _ changes: Int, _ verdict: Verdict
    ) throws {
        let restore = "restore.requested by=user account=a\nrestore.completed account=a"
        let change = """
            catalog.listed product=songs kind=consumable
            \(restore)
            catalog.listed product=songs kind=nonConsumable
            \(restore)
            """
        let purchase = """
            catalog.listed product=songs kind=nonConsumable
            receipt.listed transaction=t1 product=songs account=a
            """
        let history = [purchase] + Array(repeating: change, count: changes / 2)
        let timeline = Timeline(history.joined(separator: "\n"))
        let report = try timeline.reports([RestoreGrantsAll.self])[0].report
        #expect(report.verdict == verdict)
        #expect(report.findings.map(\.key) == (verdict == .violated ? ["t1"] : []))
    }

    @Test func `another plan of the subscription grants nothing`() throws {
        let periods = """
            renewal.started transaction=t1 original=t1 product=basic purchasedAt=2026-01-01 expiresAt=2026-02-01 account=a
            delivery.delivered transaction=t1
            queue.purchased transaction=t2 original=t1 product=best purchasedAt=2026-02-01 expiresAt=2026-03-01 account=a
            queue.finished transaction=t2
            """
        let restore = """
            restore.requested by=user account=a at=2026-02-10
            restore.completed account=a
            """
        try Timeline("\(periods)\n\(restore) ← restore-grants-all")
            .expectPinned(RestoreGrantsAll.self)
        try Timeline("\(periods)\ndelivery.delivered transaction=t2\n\(restore)")
            .expectPinned(RestoreGrantsAll.self)
        let back = """
            delivery.delivered transaction=t2
            delivery.delivered transaction=t1
            """
        try Timeline("\(periods)\n\(back)\n\(restore)").expectPinned(RestoreGrantsAll.self)
        let unfinished = periods.replacing("queue.finished transaction=t2", with: "app.launched")
        try Timeline("\(unfinished)\n\(restore)").expectPinned(RestoreGrantsAll.self)
    }
}
