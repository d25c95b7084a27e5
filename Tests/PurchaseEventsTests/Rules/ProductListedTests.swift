import Testing

@testable import PurchaseProjections

@Suite struct ProductListedTests {
    @Test func `a requested product was listed`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            payment.requested payment=p1 product=songs
            payment.requested payment=p2 product=coins ← product-listed
            catalog.listed product=coins kind=consumable
            payment.requested payment=p3 product=coins
            """
        ).expectPinned(ProductListed.self)
    }

    @Test func `a requested product is not invalid`() throws {
        try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            catalog.invalid product=songs
            payment.requested payment=p1 product=songs ← product-listed
            catalog.listed product=songs kind=nonConsumable
            payment.requested payment=p2 product=songs
            catalog.invalid product=coins
            payment.requested payment=p3 product=coins ← product-listed
            """
        ).expectPinned(ProductListed.self)
    }

    @Test func `a request before the catalogue's first answer was not listed`() throws {
        try Timeline(
            """
            payment.requested payment=p1 product=songs ← product-listed
            catalog.requested product=songs
            catalog.listed product=songs kind=nonConsumable
            """
        ).expectPinned(ProductListed.self)
    }

    @Test func `a log without a catalogue is not judged`() throws {
        let timeline = Timeline(
            """
            catalog.requested product=songs
            payment.requested payment=p1 product=songs
            """)
        try timeline.expectPinned(ProductListed.self)
        #expect(try timeline.verdict(ProductListed.self) == .vacuous)
    }

    @Test func `a log that starts in the middle may have missed the listing`() throws {
        let timeline = Timeline(
            """
            unopened
            catalog.listed product=songs kind=nonConsumable
            payment.requested payment=p1 product=coins
            """)
        try timeline.expectPinned(ProductListed.self)
        #expect(try timeline.verdict(ProductListed.self) == .undetermined)
    }

    @Test func `an invalid product is proven wherever the log starts`() throws {
        try Timeline(
            """
            unopened
            catalog.invalid product=coins
            payment.requested payment=p1 product=coins ← product-listed
            """
        ).expectPinned(ProductListed.self)
    }

    @Test func `a line that was not understood may have listed the product`() throws {
        let timeline = Timeline(
            """
            catalog.invalid product=coins
            what is this
            payment.requested payment=p1 product=coins
            """)
        try timeline.expectPinned(ProductListed.self)
        #expect(try timeline.verdict(ProductListed.self) == .undetermined)
    }

    @Test func `each request is a test`() throws {
        let report = try Timeline(
            """
            catalog.listed product=songs kind=nonConsumable
            payment.requested payment=p1 product=songs
            payment.requested payment=p2 product=songs
            """
        ).reports([ProductListed.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }

    @Test func `a line that was not understood after the request can't have listed it`() throws {
        try Timeline(
            """
            payment.requested payment=p1 product=coins ← product-listed
            what is this
            catalog.listed product=coins kind=consumable
            """
        ).expectPinned(ProductListed.self)
    }
}
