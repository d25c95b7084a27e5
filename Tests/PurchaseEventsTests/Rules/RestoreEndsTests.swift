import Testing

@testable import PurchaseProjections

@Suite struct RestoreEndsTests {
    @Test func `a restored transaction comes within a restore`() throws {
        try Timeline(
            """
            queue.restored transaction=t2 original=t1 ← restore-ends
            restore.requested by=user
            queue.restored transaction=t3 original=t1
            restore.completed
            queue.restored transaction=t4 original=t1 ← restore-ends
            app.launched
            queue.restored transaction=t3 original=t1
            """
        ).expectPinned(RestoreEnds.self)
    }

    @Test func `a restore ends once`() throws {
        try Timeline(
            """
            restore.requested by=user
            restore.failed error=cancelled
            restore.completed ← restore-ends
            restore.requested by=user
            restore.completed
            restore.failed error=network ← restore-ends
            """
        ).expectPinned(RestoreEnds.self)
    }

    @Test func `a restore ends before the next begins`() throws {
        try Timeline(
            """
            restore.requested by=user ← restore-ends
            restore.requested by=user
            restore.completed
            """
        ).expectPinned(RestoreEnds.self)
    }

    @Test func `a restore outlives a launch`() throws {
        try Timeline(
            """
            restore.requested by=user
            app.launched
            queue.restored transaction=t2 original=t1
            restore.completed
            """
        ).expectPinned(RestoreEnds.self)
    }

    @Test func `a restore open at the end is a note, but a warning after a launch`() throws {
        let open = Timeline(
            """
            restore.requested by=user ← restore-ends
            """)
        try open.expectPinned(RestoreEnds.self)
        #expect(try open.verdict(RestoreEnds.self) == .holds)
        let left = Timeline(
            """
            restore.requested by=user device=pad ← restore-ends
            app.launched device=pad
            """)
        try left.expectPinned(RestoreEnds.self)
        #expect(try left.verdict(RestoreEnds.self) == .violated)
    }

    @Test func `a restore belongs to one device`() throws {
        try Timeline(
            """
            restore.requested by=user device=phone
            queue.restored transaction=t2 original=t1 device=pad ← restore-ends
            restore.requested by=user device=pad
            restore.completed device=phone
            restore.completed device=pad
            """
        ).expectPinned(RestoreEnds.self)
    }

    @Test func `a log that starts in the middle may have missed the request`() throws {
        let timeline = Timeline(
            """
            unopened
            queue.restored transaction=t2 original=t1
            restore.completed
            queue.restored transaction=t3 original=t1
            """)
        try timeline.expectPinned(RestoreEnds.self)
        #expect(try timeline.verdict(RestoreEnds.self) == .undetermined)
    }

    @Test func `a second end is proven wherever the log starts`() throws {
        try Timeline(
            """
            unopened
            restore.completed
            restore.completed ← restore-ends
            """
        ).expectPinned(RestoreEnds.self)
    }

    @Test func `a line that was not understood may have been the end`() throws {
        let timeline = Timeline(
            """
            restore.requested by=user
            what is this
            restore.requested by=user
            restore.completed
            """)
        try timeline.expectPinned(RestoreEnds.self)
        #expect(try timeline.verdict(RestoreEnds.self) == .undetermined)
    }

    @Test func `a restore event without a request is a test too`() throws {
        for text in ["queue.restored transaction=t2 original=t1", "restore.completed"] {
            let report = try Timeline(text).reports([RestoreEnds.self])[0].report
            #expect(report.verdict == .violated)
            #expect(report.tested == 1)
        }
    }

    @Test func `each restore is a test`() throws {
        let report = try Timeline(
            """
            restore.requested by=user
            restore.completed
            restore.requested by=user
            restore.failed error=network
            """
        ).reports([RestoreEnds.self])[0].report
        #expect(report.tested == 2)
        #expect(report.verdict == .holds)
    }
}
