import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections
import Testing

struct FindingSummaryTests {
    @Test func `every rule of the catalogue says who is out of money`() {
        #expect(MoneySide.decidedRules == Set(RuleCatalogue.all.map { $0.id }))
    }

    @Test func `a rule has one row, and each transaction counts once in its stake`() throws {
        let log = Array(
            """
            {"seq":1,"at":"2026-03-01T09:00:00.000Z","type":"log.opened","schema":1}
            {"seq":2,"at":"2026-03-01T09:00:01.000Z","type":"queue.purchased","transaction":"t1","product":"p","account":"a","purchasedAt":"2026-03-01T09:00:01.000Z","price":4990,"currency":"EUR"}
            {"seq":3,"at":"2026-03-01T09:00:02.000Z","type":"queue.finished","transaction":"t1","account":"a"}
            {"seq":4,"at":"2026-03-01T09:00:03.000Z","type":"queue.purchased","transaction":"t2","product":"p","account":"b","purchasedAt":"2026-03-01T09:00:03.000Z"}
            {"seq":5,"at":"2026-03-01T09:00:04.000Z","type":"queue.finished","transaction":"t2","account":"b"}

            """.utf8)
        let decoder = LineDecoder()
        let rule = try #require(RuleCatalogue.find("finished-implies-delivered"))
        var check = Check(
            [rule],
            names: decoder.names)
        var dates = LineDates()
        try LogLines(log).read(decoder) {
            check.observe($0)
            dates.observe($0)
        }
        let findings = check.finish().flatMap { $0.report.findings }
        var summary = FindingSummary()
        summary.add(findings, check.facts, dates)
        // The same log again: the names are known already, the findings are new.
        summary.add(findings, check.facts, dates)
        let row = try #require(summary.rows.first)
        #expect(summary.rows.count == 1)
        #expect(row.level == .error)
        #expect(row.findings == 4)
        #expect(row.accounts == 2)
        #expect(row.transactions == 2)
        #expect(row.stake.amounts == ["EUR": 4990])
        #expect((row.log, row.firstLine) == (0, 3))
        #expect(row.at?.text == "2026-03-01T09:00:02.000Z")
    }
}
