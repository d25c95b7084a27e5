import Testing

@testable import PurchaseProjections

@Suite struct RequestedIsAnsweredTests {
    @Test func `a product request is answered before the next launch`() throws {
        try Timeline(
            """
            catalog.requested product=songs
            catalog.requested product=coins
            catalog.requested product=gems ← requested-is-answered
            catalog.listed product=songs kind=nonConsumable
            catalog.invalid product=coins
            app.launched
            catalog.listed product=gems kind=consumable
            app.launched
            """
        ).expectPinned(RequestedIsAnswered.self)
    }

    @Test func `an answer covers only earlier requests`() throws {
        try Timeline(
            """
            catalog.requested product=songs
            catalog.requested product=songs
            catalog.listed product=songs kind=nonConsumable
            catalog.requested product=songs ← requested-is-answered
            app.launched
            """
        ).expectPinned(RequestedIsAnswered.self)
    }

    @Test func `the finding names who asked`() throws {
        let report = try Timeline(
            """
            catalog.requested product=songs account=ada
            app.launched
            """
        ).reports([RequestedIsAnswered.self])[0].report
        #expect(report.findings.map(\.account) == ["ada"])
    }

    @Test func `a product request belongs to one device`() throws {
        try Timeline(
            """
            catalog.requested product=songs device=phone ← requested-is-answered
            catalog.listed product=songs kind=nonConsumable device=pad
            app.launched device=pad
            app.launched device=phone
            """
        ).expectPinned(RequestedIsAnswered.self)
    }

    @Test func `at the end of the log an answer may still come`() throws {
        let timeline = Timeline(
            """
            catalog.requested product=songs
            """)
        try timeline.expectPinned(RequestedIsAnswered.self)
        #expect(try timeline.verdict(RequestedIsAnswered.self) == .holds)
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

    @Test func `a line that was not understood may have been the answer`() throws {
        let timeline = Timeline(
            """
            catalog.requested product=songs
            what is this
            app.launched
            """)
        try timeline.expectPinned(RequestedIsAnswered.self)
        #expect(try timeline.verdict(RequestedIsAnswered.self) == .undetermined)
    }

    @Test func `a finding stands in a log that starts in the middle`() throws {
        try Timeline(
            """
            unopened
            catalog.requested product=songs ← requested-is-answered
            app.launched
            """
        ).expectPinned(RequestedIsAnswered.self)
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
