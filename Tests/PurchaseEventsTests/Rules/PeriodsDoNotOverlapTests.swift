import Testing

@testable import PurchaseProjections

@Suite struct PeriodsDoNotOverlapTests {
    private let first =
        "receipt.listed transaction=t product=basic purchasedAt=2026-01-01 expiresAt=2026-02-01"

    private func second(_ start: String, _ more: String = "product=basic") -> String {
        "receipt.listed transaction=u original=t \(more) purchasedAt=\(start) expiresAt=2026-03-01"
    }

    @Test func `a period starts where its neighbour ends, or later`() throws {
        for start in ["2026-02-01", "2026-02-10"] {
            try Timeline("\(first)\n\(second(start))").expectPinned(PeriodsDoNotOverlap.self)
        }
        try Timeline(
            """
            \(first)
            \(second("2026-01-31T23:59:59.999Z")) ← periods-do-not-overlap
            """
        ).expectPinned(PeriodsDoNotOverlap.self)
    }

    @Test func `the finding is where the log first shows both`() throws {
        try Timeline(
            """
            \(second("2026-01-20"))
            \(first) ← periods-do-not-overlap
            \(first)
            """
        ).expectPinned(PeriodsDoNotOverlap.self)
    }

    @Test func `an overlap is a note in sandbox and xcode`() throws {
        for environment in ["sandbox", "xcode"] {
            let report = try Timeline(
                """
                log.opened schema=1 environment=\(environment)
                \(first)
                \(second("2026-01-20"))
                """
            ).reports([PeriodsDoNotOverlap.self])[0].report
            #expect(report.findings.map(\.level) == [.note])
        }
    }

    @Test func `an upgrade replaces the earlier plan, however the log states it`() throws {
        let upgraded =
            first.replacing("expiresAt", with: "cancelledAt=2026-01-20 upgraded=true expiresAt")
        try Timeline("\(second("2026-01-20", "product=best"))\n\(upgraded)")
            .expectPinned(PeriodsDoNotOverlap.self)
        try Timeline(
            """
            catalog.listed product=basic kind=autoRenewable level=2
            catalog.listed product=best kind=autoRenewable level=1
            \(first)
            \(second("2026-01-20", "product=best"))
            """
        ).expectPinned(PeriodsDoNotOverlap.self)
        try Timeline(
            """
            \(first)
            renewal.planChanged original=t next=other effect=now
            \(second("2026-01-20", "product=other"))
            """
        ).expectPinned(PeriodsDoNotOverlap.self)
    }

    @Test func `a refunded period has ended`() throws {
        try Timeline(
            """
            \(first)
            cancellation.refunded transaction=t cancelledAt=2026-01-20
            \(second("2026-01-20"))
            """
        ).expectPinned(PeriodsDoNotOverlap.self)
    }

    @Test func `an extension counts, and equal periods are one`() throws {
        try Timeline(
            """
            \(first)
            \(second("2026-02-01")) ← periods-do-not-overlap
            renewal.extended original=t transaction=t expiresAt=2026-02-05
            receipt.listed transaction=v original=t product=basic purchasedAt=2026-02-01 \
                expiresAt=2026-03-01
            """
        ).expectPinned(PeriodsDoNotOverlap.self)
    }

    @Test func `two lines may overlap`() throws {
        try Timeline(
            """
            \(first)
            receipt.listed transaction=u product=basic purchasedAt=2026-01-01 expiresAt=2026-02-01
            """
        ).expectPinned(PeriodsDoNotOverlap.self)
    }

    @Test func `in a log that starts in the middle only the upgrade may be missing`() throws {
        try Timeline(
            """
            unopened
            \(first)
            \(second("2026-01-20", "product=basic environment=production")) ← \
                periods-do-not-overlap
            """
        ).expectPinned(PeriodsDoNotOverlap.self)
    }

    @Test func `of different products the later is a change of plan`() throws {
        try Timeline("\(first)\n\(second("2026-01-20", "product=best"))")
            .expectPinned(PeriodsDoNotOverlap.self)
        try Timeline(
            """
            \(first)
            \(second("2026-01-20", "product=best"))
            receipt.listed transaction=v original=t product=basic purchasedAt=2026-01-25 \
                expiresAt=2026-02-25
            """
        ).expectPinned(PeriodsDoNotOverlap.self)
    }

    @Test func `a renewal that the store took back overlaps nothing`() throws {
        try Timeline(
            """
            \(first)
            \(second("2026-01-31", "product=basic upgraded=true"))
            receipt.listed transaction=v original=t product=best purchasedAt=2026-01-31 \
                expiresAt=2027-01-31
            """
        ).expectPinned(PeriodsDoNotOverlap.self)
    }

    @Test func `a line that was not understood may be a refund`() throws {
        let timeline = Timeline("\(first)\nwhat is this\n\(second("2026-01-20"))")
        #expect(try timeline.verdict(PeriodsDoNotOverlap.self) == .undetermined)
    }

    @Test func `an unstated environment may be a test environment`() throws {
        let timeline = Timeline("unopened\n\(first)\n\(second("2026-01-20"))")
        #expect(try timeline.verdict(PeriodsDoNotOverlap.self) == .undetermined)
        let test = second("2026-01-20", "product=basic environment=sandbox")
        let report = try Timeline(
            "unopened\n\(first) environment=sandbox\n\(test)"
        ).reports([PeriodsDoNotOverlap.self])[0].report
        #expect(report.findings.map(\.level) == [.note])
    }

    @Test func `an immediate change stays immediate when the plan changes again`() throws {
        try Timeline(
            """
            \(first)
            renewal.planChanged original=t next=other effect=now at=2026-01-20
            \(second("2026-01-20", "product=other"))
            renewal.planChanged original=t next=basic effect=nextRenewal at=2026-01-25
            """
        ).expectPinned(PeriodsDoNotOverlap.self)
    }

    @Test func `each pair of neighbours is a test`() throws {
        let report = try Timeline(
            """
            \(first)
            \(second("2026-02-01"))
            receipt.listed transaction=v original=t product=basic purchasedAt=2026-03-01 expiresAt=2026-04-01
            """
        ).reports([PeriodsDoNotOverlap.self])[0].report
        #expect(report.tested == 2)
        #expect(try Timeline(first).verdict(PeriodsDoNotOverlap.self) == .vacuous)
    }

    @Test func `an extension is part of the proof`() throws {
        for extended in ["original=t transaction=t", "original=t"] {
            let report = try Timeline(
                """
                \(first)
                renewal.extended \(extended) expiresAt=2026-02-05 at=2026-01-20
                \(second("2026-02-01"))
                """
            ).reports([PeriodsDoNotOverlap.self])[0].report
            #expect(report.findings.map(\.line) == [4])
            #expect(report.findings.map { $0.notes.map(\.line) } == [[2, 3]])
        }
    }
}
