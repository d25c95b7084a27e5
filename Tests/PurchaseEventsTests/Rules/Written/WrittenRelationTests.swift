import PurchaseEvents
import PurchaseProjections
import Testing

// The relations between the keys of two events, and the conditions on other events.
extension WrittenRuleTests {
    @Test func `a different key joins what differs in it, and nothing else`() throws {
        let body = """
            each delivery.delivered is not preceded by delivery.delivered
            of the same transaction and a different account
            """
        let history = """
            delivery.delivered transaction=t1 account=a
            delivery.delivered transaction=t1 account=a
            delivery.delivered transaction=t1
            delivery.delivered transaction=t2 account=b
            delivery.delivered transaction=t1 account=b
            delivery.delivered transaction=t1 account=b
            delivery.delivered transaction=t1 account=a
            """
        let found = Result(lines: [6, 7, 8], verdict: .violated, tested: 6)
        #expect(try result(body, history) == found)
        let notes = try report(body, history).findings.map { $0.notes.map(\.line) }
        #expect(notes == [[3], [3], [7]])
        let lifted = body + "\nunless delivery.withdrawn of the same transaction comes between"
        let withdrawn = """
            delivery.delivered transaction=t1 account=a
            delivery.withdrawn transaction=t1 reason=refunded
            delivery.delivered transaction=t1 account=b
            delivery.delivered transaction=t1 account=a
            """
        #expect(try result(lifted, withdrawn).lines == [5])
    }

    @Test func `a later or an earlier time is that of the other event`() throws {
        let history = """
            renewal.turnedOff original=o signedAt=2026-01-05
            renewal.turnedOn original=o signedAt=2026-01-04
            renewal.turnedOff original=o
            renewal.turnedOn original=o signedAt=2026-01-05
            renewal.turnedOff original=x signedAt=2026-01-01
            renewal.turnedOn original=o signedAt=2026-01-07
            """
        func lines(_ relation: String) throws -> [LineNumber] {
            try result("each renewal.* \(relation) signedAt", history).lines
        }
        let same = "renewal.* of the same original and"
        #expect(try lines("is not preceded by \(same) a later") == [3])
        #expect(try lines("is not preceded by \(same) an earlier") == [5, 7])
        #expect(try lines("is preceded by \(same) an earlier") == [2, 3, 6])
        #expect(try lines("is not followed by \(same) an earlier") == [3])
        #expect(try lines("is not followed by \(same) a later") == [5, 7])
        #expect(try lines("is followed by \(same) a later") == [6, 7])
    }

    @Test func `at most N different values counts each value once within its time`() throws {
        let ever = "at most 2 payment.requested of the same account and a different payer"
        let body = ever + " within 5 days"
        let history = """
            payment.requested payment=p1 account=a payer=x
            payment.requested payment=p2 account=a payer=y
            payment.requested payment=p3 account=a payer=x
            payment.requested payment=p4 account=b payer=z
            payment.requested payment=p5 account=a
            payment.requested payment=p6 account=a payer=z
            payment.requested payment=p7 account=a payer=z
            payment.requested payment=p8 account=a payer=w at=2026-01-09
            """
        #expect(try result(body, history) == Result(lines: [7], verdict: .violated, tested: 7))
        let finding = try #require(try report(body, history).findings.first)
        #expect(finding.key == "p6")
        #expect(finding.notes.map(\.line) == [3, 4])
        #expect(try result(ever, history).lines == [7, 9])
    }

    @Test func `after asks for earlier events, each with keys of its own`() throws {
        let body = """
            each queue.purchased after queue.failed of the same account and after app.launched
            never happens
            """
        let history = """
            queue.failed payment=p error=network account=a
            queue.purchased transaction=t1 account=a
            app.launched
            queue.purchased transaction=t2 account=b
            queue.purchased transaction=t3 account=a
            """
        #expect(try result(body, history).lines == [6])
        let again = "each queue.failed after queue.failed of the same payment never happens"
        #expect(try result(again, history).lines == [])
        let waits = "each queue.purchased after app.launched is followed by queue.finished"
        #expect(try result(waits, history).lines == [5, 6])
    }

    @Test func `in a log with an event the whole log counts, without it nothing`() throws {
        let body = "each queue.purchased in a log with app.launched where device = d never happens"
        let history = "queue.purchased transaction=t1\nqueue.purchased transaction=t2"
        #expect(try result(body, history) == Result(lines: [], verdict: .vacuous, tested: 0))
        #expect(try result(body, history + "\napp.launched device=e").verdict == .vacuous)
        let launched = history + "\napp.launched device=d\nqueue.purchased transaction=t3"
        #expect(
            try result(body, launched)
                == Result(lines: [2, 3, 5], verdict: .violated, tested: 3))
    }
}
