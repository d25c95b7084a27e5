import Testing

@testable import PurchaseProjections

@Suite struct RequestedIsAnsweredTests {
    @Test func `the finding names who asked`() throws {
        let report = try Timeline(
            """
            catalog.requested product=songs account=ada
            app.launched
            """
        ).reports([RequestedIsAnswered.self])[0].report
        #expect(report.findings.map(\.account) == ["ada"])
    }

    @Test func `product requests are kept only while they are open`() throws {
        let answered = (1...200).map { n in
            "catalog.requested product=s\(n)\ncatalog.listed product=s\(n) kind=nonConsumable"
        }
        let history =
            ["catalog.requested product=lost ← requested-is-answered"] + answered
            + ["app.launched"]
        try Timeline(history.joined(separator: "\n")).expectPinned(RequestedIsAnswered.self)
    }

    @Test func `each product request is a test`() throws {
        let report = try Timeline(
            """
            catalog.requested product=songs
            catalog.requested product=coins
            """
        ).reports([RequestedIsAnswered.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }
}
