import PurchaseEvents
import PurchaseProjections
import Testing

/// What the app has left to do, step by step.
@Suite struct PendingTests {
    private static let keys = "transaction payment next since presentations"

    @Test func `a purchase in the tunnel is to be delivered until the next launch`() throws {
        let showing = try Showing("valid/bought-in-the-tunnel.jsonl")
        let log = try steps(of: showing)
        #expect(log.last == "")
        #expect(log.contains("deliver 1"))
        #expect(log.contains("deliver 2"))
        // Wait, deliver, presented again, persisted or delivered, finish, nothing.
        var changes: [String] = []
        for step in log where changes.last != step { changes.append(step) }
        #expect(changes == ["", "wait 1", "deliver 1", "deliver 2", "finish 2", ""])
    }

    /// `next presentations` after each line of a log with one entry.
    private func steps(of showing: Showing) throws -> [String] {
        let lines = showing.bytes.filter { $0 == 0x0A }.count
        return try (1...lines).map { line in
            try showing.fold(Showing.Question(line: line)).rows(of: Pending.self).map { row in
                "\(row.next) \(row.presentations ?? 0)"
            }.joined(separator: ", ")
        }
    }

    @Test func `the first missing step is next`() throws {
        let showing = Showing(
            timeline: """
                catalog.listed product=book kind=nonConsumable hosted=true
                payment.requested payment=p product=book account=a
                queue.purchasing payment=p
                queue.deferred payment=p
                queue.purchased transaction=t payment=p product=book account=a
                delivery.download transaction=t download=d state=active
                delivery.download transaction=t download=d state=failed
                delivery.download transaction=t download=d state=finished
                delivery.delivered transaction=t
                delivery.persisted transaction=t store=receipt
                queue.finished transaction=t
                """)
        let steps = try steps(of: showing)
        #expect(
            steps == [
                "", "", "", "wait 1", "wait 1", "download 1", "download 1", "download 1",
                "deliver 1", "persist 1", "finish 1", "",
            ])
        #expect(
            try showing.rows(Pending.self, line: 5) == [
                #"{"account":"a","payment":"p","product":"book","next":"wait","#
                    + #""since":"2026-01-01T04:00:00.000Z","presentations":1}"#
            ])
    }

    @Test func `a purchase without a payment answers one that is deferred`() throws {
        let showing = Showing(
            timeline: """
                catalog.listed product=pro kind=nonConsumable
                payment.requested payment=p product=pro account=a
                queue.deferred payment=p account=a
                queue.purchased transaction=s product=pro account=b
                queue.finished transaction=s
                queue.purchased transaction=t product=pro account=a
                delivery.delivered transaction=t account=a
                delivery.persisted transaction=t store=server
                queue.finished transaction=t
                """)
        let steps = try steps(of: showing)
        #expect(steps[5] == "wait 1")
        #expect(steps[6] == "deliver 1")
        #expect(steps.last == "")
    }

    @Test func `a part of a consumable that was taken back settles its refund`() throws {
        let showing = Showing(
            timeline: """
                catalog.listed product=coins kind=consumable
                queue.purchased transaction=t product=coins quantity=9 account=a
                delivery.delivered transaction=t account=a
                delivery.persisted transaction=t store=server account=a
                queue.finished transaction=t account=a
                cancellation.refunded transaction=t cancelledAt=2026-01-01T05:00:00Z percent=44444
                delivery.withdrawn transaction=t reason=refunded quantity=4 account=a
                """)
        let steps = try steps(of: showing)
        #expect(steps.suffix(2) == ["withdraw 0", ""])
        let rows = try showing.brief(Entitlements.self, "active quantity granted ended")
        #expect(rows == ["active=true quantity=5 granted=true"])
    }

    @Test func `a failed payment is shown until it is finished`() throws {
        let showing = try Showing("valid/failed-payment-presented-again.jsonl")
        let log = try steps(of: showing)
        #expect(log[7] == "showError 1")
        #expect(log[10] == "showError 2")
        #expect(log[11] == "")
        #expect(log[15] == "deliver 1")
        #expect(log.last == "")
    }

    @Test func `the second request of a payment added twice still waits`() throws {
        let showing = try Showing("valid/same-payment-added-twice.jsonl")
        #expect(try showing.brief(Pending.self, "next", line: 13) == ["next=wait"])
        #expect(try showing.brief(Pending.self, "next", line: 16) == ["next=deliver"])
        #expect(try showing.brief(Pending.self, "next") == [])
    }

    @Test func `a refund before the delivery leaves only the finish`() throws {
        let showing = try Showing("valid/refund-before-delivery.jsonl")
        #expect(try showing.brief(Pending.self, "next", line: 8) == ["next=deliver"])
        #expect(try showing.brief(Pending.self, "next", line: 9) == ["next=finish"])
        #expect(
            try showing.brief(Pending.self, "next presentations", line: 12) == [
                "next=finish presentations=2"
            ])
        #expect(try showing.brief(Pending.self, "next") == [])
    }

    @Test func `a refund after the finish is withdrawn, and delivered after a reversal`() throws {
        let showing = try Showing("valid/refund-taken-back.jsonl")
        func rows(_ line: Int) throws -> [String] {
            try showing.brief(Pending.self, "next since presentations", line: line)
        }
        #expect(try rows(12) == [])
        #expect(try rows(13) == ["next=withdraw since=2026-03-12T10:14"])
        #expect(try rows(16) == [])
        #expect(try rows(17) == ["next=deliver since=2026-03-19T08:30"])
        #expect(try rows(20) == [])
    }

    @Test func `nothing is withdrawn while another purchase grants the product`() throws {
        let showing = try Showing("valid/refund-of-one-of-two-purchases.jsonl")
        #expect(try showing.brief(Pending.self, "next") == [])
    }

    @Test func `a consumable is withdrawn by its own transaction`() throws {
        let showing = Showing(
            timeline: """
                catalog.listed product=coins kind=consumable
                queue.purchased transaction=t1 product=coins quantity=2 account=a
                queue.purchased transaction=t2 product=coins account=a
                delivery.delivered transaction=t1 quantity=1
                delivery.delivered transaction=t2
                queue.finished transaction=t2
                cancellation.refunded transaction=t2 cancelledAt=2026-01-01T07:00:00Z
                log.noted text=end
                """)
        #expect(
            try showing.brief(Pending.self, "transaction next") == [
                "transaction=t1 next=deliver", "transaction=t2 next=withdraw",
            ])
    }

    @Test func `an ended product is to be withdrawn after its period and grace`() throws {
        let showing = try Showing("valid/grace-period-ended-unpaid.jsonl")
        func rows(_ instant: String) throws -> [String] {
            try showing.brief(Pending.self, "next since", asOf: instant)
        }
        #expect(try rows("2026-03-21") == [])
        #expect(
            try rows("2026-04-05T09:00:00Z") == ["next=withdraw since=2026-04-05T09:00"])
        #expect(try showing.brief(Pending.self, "next") == [])
    }

    @Test func `renewals of periods long over are still delivered and finished`() throws {
        let showing = try Showing("valid/old-renewals-arrive-together.jsonl")
        func rows(_ line: Int) throws -> [String] {
            try showing.brief(Pending.self, "product next", line: line)
        }
        let coins = "product=com.example.coins.100 next="
        let monthly = "product=com.example.reader.monthly next="
        // At the launch the log knows only the first period, so access has ended.
        #expect(try rows(14) == [])
        #expect(try rows(15) == [monthly + "withdraw"])
        #expect(
            try rows(22) == [
                coins + "deliver", monthly + "deliver", monthly + "deliver", monthly + "deliver",
            ])
        #expect(try rows(25).count == 3)
        #expect(try rows(33).count == 1)
        #expect(try rows(38) == [])
    }

    @Test func `an entry is open on each device that presented it`() throws {
        let showing = Showing(
            timeline: """
                queue.purchased device=d1 transaction=t product=pro
                queue.purchased device=d2 transaction=t product=pro
                queue.purchased device=d2 transaction=t product=pro
                delivery.delivered transaction=t
                delivery.persisted transaction=t store=receipt
                queue.finished device=d1 transaction=t
                queue.finished transaction=t
                """)
        func rows(_ line: Int) throws -> [String] {
            try showing.brief(Pending.self, "next since presentations", line: line)
        }
        #expect(try rows(6) == ["next=finish since=2026-01-01T01:00 presentations=3"])
        #expect(try rows(7) == ["next=finish since=2026-01-01T02:00 presentations=2"])
        #expect(try rows(8) == [])
    }

    @Test func `restored entries that were not selected are only finished`() throws {
        let showing = try Showing("valid/restore-on-new-device-with-selection.jsonl")
        func rows(_ line: Int) throws -> [String] {
            try showing.brief(Pending.self, "product next", line: line)
        }
        #expect(
            try rows(18) == [
                "product=com.example.reader.birds next=download",
                "product=com.example.reader.stars next=download",
                "product=com.example.reader.trees next=download",
            ])
        #expect(
            try rows(20) == [
                "product=com.example.reader.birds next=download",
                "product=com.example.reader.stars next=download",
                "product=com.example.reader.trees next=finish",
            ])
        #expect(try rows(36) == [])
    }

    @Test func `restored entries that the receipt holds are only finished`() throws {
        let showing = try Showing("valid/restored-entries-finished-at-once.jsonl")
        #expect(
            try showing.brief(Pending.self, "next", line: 27) == ["next=finish", "next=finish"])
    }

    @Test func `a restored subscription is owed although its first period was refunded`() throws {
        for (kind, next) in [("autoRenewable", "deliver"), ("nonConsumable", "finish")] {
            let showing = Showing(
                timeline: """
                    catalog.listed product=plan kind=\(kind)
                    queue.purchased transaction=t product=plan account=a
                    cancellation.refunded transaction=t cancelledAt=2026-01-01
                    queue.restored transaction=r original=t product=plan account=a
                    """)
            let rows = try showing.brief(Pending.self, "transaction next", line: 5)
            #expect(rows == ["transaction=r next=\(next)", "transaction=t next=finish"])
        }
    }

    @Test func `tasks at an instant count only earlier actions`() throws {
        let showing = try Showing("valid/refund-taken-back.jsonl")
        #expect(
            try showing.brief(Pending.self, "next", asOf: "2026-03-12T12:00:00Z") == [
                "next=withdraw"
            ])
        #expect(
            try showing.brief(Pending.self, "next", asOf: "2026-03-19T09:00:00Z") == [
                "next=deliver"
            ])
        #expect(try showing.brief(Pending.self, "next", asOf: "2026-03-10") == [])
    }

    @Test func `a refund of the original leaves later purchases under it`()
        throws
    {
        func rows(_ kind: String, _ delivered: String) throws -> [String] {
            try Showing(
                timeline: """
                    catalog.listed product=it kind=\(kind)
                    queue.purchased transaction=t1 product=it account=a purchasedAt=2026-01-10
                    cancellation.refunded transaction=t1 cancelledAt=2026-02-01
                    queue.purchased transaction=t2 original=t1 product=it account=a \
                    purchasedAt=2026-03-01
                    \(delivered)
                    log.noted text=end at=2026-03-02
                    """
            ).brief(Pending.self, "transaction next")
        }
        let delivered = "delivery.delivered transaction=t2"
        let (refunded, bought) = ("transaction=t1 next=finish", "transaction=t2 next=")
        #expect(try rows("nonConsumable", delivered) == [refunded, bought + "persist"])
        #expect(try rows("nonRenewing", delivered) == [refunded, bought + "persist"])
        #expect(try rows("consumable", "") == [refunded, bought + "deliver"])
    }

    @Test func `a purchased payment has nothing waiting, unless requested again`() throws {
        let showing = Showing(
            timeline: """
                payment.requested payment=p product=coins
                queue.purchased transaction=t payment=p product=coins
                queue.deferred payment=p
                queue.failed payment=p error=unknown
                payment.requested payment=p product=coins
                queue.deferred payment=p
                """)
        func rows(_ line: Int) throws -> [String] {
            try showing.brief(Pending.self, "transaction payment next", line: line)
        }
        #expect(try rows(4) == ["transaction=t next=deliver"])
        #expect(try rows(5) == ["transaction=t next=deliver"])
        #expect(try rows(7) == ["payment=p next=wait", "transaction=t next=deliver"])
    }

    @Test func `a failed request is shown until its finish, even after a purchase`()
        throws
    {
        let showing = Showing(
            timeline: """
                payment.requested payment=p product=coins
                queue.failed payment=p error=network
                payment.requested payment=p product=coins
                queue.purchasing payment=p
                queue.purchased transaction=t payment=p product=coins
                queue.finished payment=p
                queue.finished payment=p
                """)
        func rows(_ line: Int) throws -> [String] {
            try showing.brief(Pending.self, "transaction payment next since", line: line)
        }
        let bought = "transaction=t next=deliver since=2026-01-01T05:00"
        #expect(try rows(5) == ["payment=p next=wait since=2026-01-01T04:00"])
        #expect(try rows(6) == ["payment=p next=showError since=2026-01-01T02:00", bought])
        #expect(try rows(7) == [bought])
        #expect(try rows(8) == [])
    }

    @Test func `finishing one failure of a payment leaves its waiting request`() throws {
        let showing = Showing(
            timeline: """
                payment.requested payment=p product=coins
                payment.requested payment=p product=coins
                queue.deferred payment=p
                queue.failed payment=p error=network
                queue.finished payment=p
                """)
        #expect(try showing.brief(Pending.self, "next", line: 5) == ["next=showError"])
        #expect(try showing.brief(Pending.self, "next") == ["next=wait"])
    }

    @Test func `a transaction finished by its payment is not pending`() throws {
        let showing = Showing(
            timeline: """
                queue.purchased transaction=t payment=p product=coins
                queue.finished payment=p
                """)
        #expect(try showing.brief(Pending.self, "transaction payment next").isEmpty)
    }

    @Test func `a reversal leaves a delivery to do, in or out of the queue`() throws {
        let showing = Showing(
            timeline: """
                catalog.listed product=pro kind=nonConsumable
                receipt.listed transaction=t1 product=pro
                delivery.delivered transaction=t1
                queue.purchased transaction=t2 product=pro account=a
                delivery.delivered transaction=t2
                queue.finished transaction=t2
                cancellation.refunded transaction=t1
                cancellation.refunded transaction=t2
                delivery.withdrawn transaction=t1 reason=refunded
                delivery.withdrawn transaction=t2 reason=refunded
                cancellation.reversed transaction=t1 at=2026-02-01
                cancellation.reversed transaction=t2 at=2026-02-02
                delivery.delivered transaction=t1
                delivery.delivered transaction=t2
                """)
        let rows = try showing.brief(Pending.self, "transaction next since", line: 13)
        #expect(
            Set(rows) == [
                "transaction=t1 next=deliver since=2026-02-01",
                "transaction=t2 next=deliver since=2026-02-02",
            ])
        #expect(try showing.brief(Pending.self, "transaction next") == [])
    }
}
