import PurchaseEvents
import PurchaseProjections
import Testing

@Suite struct PeriodsTests {
    /// The periods of the subscriptions of a history: transaction, start, end and end of access as
    /// days.
    private func periods(_ text: String, asOf: String? = nil) throws -> [String] {
        let reader = LogReader()
        var facts = Facts(names: reader.decoder.names)
        try reader.read(MemorySource(Timeline(text).bytes)) { line in
            if case .event(let event) = line.decoded { facts.observe(event, on: Line(line)) }
            return true
        }
        let day = { (time: Timestamp) in String(time.text.prefix(10).dropFirst(5)) }
        return facts.subscriptions.flatMap { subscription in
            facts.periods(of: subscription, asOf: asOf.flatMap { Timestamp(dayOrTime: $0) }).map {
                "\(facts.text(subscription.original)): \(facts.text($0.transaction)) "
                    + "\(day($0.start)) \(day($0.end)) \(day($0.accessEnd)) "
                    + "\($0.ended?.rawValue ?? "-")"
            }
        }
    }

    private func row(_ transaction: String, _ start: String, _ end: String, _ more: String = "")
        -> String
    {
        "receipt.listed transaction=\(transaction) purchasedAt=2026-\(start) expiresAt=2026-\(end) "
            + more
    }

    @Test func `periods with equal start and end are one, which grants if any does`() throws {
        let text = """
            \(row("u", "01-01", "02-01", "original=t"))
            \(row("t", "01-01", "02-01", "cancelledAt=2026-01-10"))
            """
        #expect(try periods(text) == ["t: t 01-01 02-01 02-01 -"])
    }

    @Test func `a refund ends access, as of its date`() throws {
        let text = row("t", "01-01", "02-01", "cancelledAt=2026-01-10")
        #expect(try periods(text) == ["t: t 01-01 02-01 01-10 refunded"])
        #expect(try periods(text, asOf: "2026-01-09") == ["t: t 01-01 02-01 02-01 -"])
        #expect(try periods(text, asOf: "2025-12-31") == [])
    }

    @Test func `an upgrade ends with its successor's start, as of that`() throws {
        let text = """
            \(row("t", "01-01", "02-01", "cancelledAt=2026-01-09 upgraded=true"))
            \(row("u", "01-10", "02-10", "original=t"))
            """
        #expect(
            try periods(text)
                == ["t: t 01-01 02-01 01-10 upgraded", "t: u 01-10 02-10 02-10 -"])
        #expect(try periods(text, asOf: "2026-01-05") == ["t: t 01-01 02-01 02-01 -"])
    }

    @Test func `an upgrade at the start of its own period grants nothing`() throws {
        let text = """
            \(row("t", "01-01", "03-01", "upgraded=true"))
            \(row("u", "01-01", "02-01", "original=t"))
            """
        #expect(
            try periods(text)
                == ["t: u 01-01 02-01 02-01 -", "t: t 01-01 03-01 01-01 upgraded"])
    }

    @Test func `an extension lengthens its transaction's period, or the last that had begun`()
        throws
    {
        let rows = "\(row("t", "01-01", "02-01"))\n\(row("u", "02-01", "03-01", "original=t"))"
        #expect(
            try periods(rows + "\nrenewal.extended original=t transaction=t expiresAt=2026-02-05")
                == ["t: t 01-01 02-05 02-01 -", "t: u 02-01 03-01 03-01 -"])
        #expect(
            try periods(rows + "\nrenewal.extended original=t expiresAt=2026-03-05 at=2026-02-10")
                == ["t: t 01-01 02-01 02-01 -", "t: u 02-01 03-05 03-05 -"])
    }

    @Test func `a grace period follows the failed period`() throws {
        let rows = "\(row("t", "01-01", "02-01"))\n\(row("u", "02-10", "02-15", "original=t"))"
        let failed = "renewal.failed original=t graceExpiresAt=2026-02-16 at=2026-02-01"
        #expect(
            try periods("\(row("t", "01-01", "02-01"))\n\(failed)") == ["t: t 01-01 02-01 02-16 -"])
        // The next period ends grace, even if that period is refunded.
        let expected = ["t: t 01-01 02-01 02-10 -", "t: u 02-10 02-15 02-15 -"]
        #expect(try periods("\(rows)\n\(failed)") == expected)
        #expect(try periods("\(failed)\n\(rows)\napp.launched") == expected)
        let refund = "cancellation.refunded transaction=u cancelledAt=2026-02-12 at=2026-02-12"
        #expect(
            try periods("\(rows)\n\(failed)\n\(refund)")
                == ["t: t 01-01 02-01 02-10 -", "t: u 02-10 02-15 02-12 refunded"])
    }

    @Test func `grace after a failed period lasts until its refund or upgrade`() throws {
        let failed = "renewal.failed original=t graceExpiresAt=2026-02-16 at=2026-02-01"
        let refund = "cancellation.refunded transaction=t cancelledAt=2026-02-05 at=2026-02-05"
        #expect(
            try periods("\(row("t", "01-01", "02-01"))\n\(failed)\n\(refund)")
                == ["t: t 01-01 02-01 02-05 refunded"])
        let early = "cancellation.refunded transaction=t cancelledAt=2026-01-05 at=2026-02-05"
        #expect(
            try periods("\(row("t", "01-01", "02-01"))\n\(failed)\n\(early)")
                == ["t: t 01-01 02-01 01-05 refunded"])
        let upgraded = row("t", "01-01", "02-01", "cancelledAt=2026-02-06 upgraded=true")
        #expect(try periods("\(upgraded)\n\(failed)") == ["t: t 01-01 02-01 02-06 upgraded"])
        #expect(
            try periods("\(upgraded)\n\(failed)\n\(row("u", "02-05", "03-05", "original=t"))")
                == ["t: t 01-01 02-01 02-05 upgraded", "t: u 02-05 03-05 03-05 -"])
    }

    @Test func `a plan upgraded before its end is not the failed period`() throws {
        let text = """
            \(row("t", "01-01", "02-05", "upgraded=true"))
            \(row("u", "01-02", "02-01", "original=t"))
            renewal.failed original=t graceExpiresAt=2026-02-16 at=2026-02-01
            """
        #expect(
            try periods(text)
                == ["t: t 01-01 02-05 01-02 upgraded", "t: u 01-02 02-01 02-16 -"])
    }

    @Test func `the latest of two grace periods after one period counts`() throws {
        let text = """
            \(row("t", "01-01", "02-01"))
            renewal.failed original=t graceExpiresAt=2026-02-10 signedAt=2026-02-02
            renewal.failed original=t graceExpiresAt=2026-02-16 signedAt=2026-02-01
            """
        #expect(try periods(text) == ["t: t 01-01 02-01 02-10 -"])
    }

    @Test func `a restored transaction opens no period`() throws {
        let text = "queue.restored transaction=r original=t expiresAt=2026-02-01"
        #expect(try periods(text) == [])
    }

    @Test func `a transaction whose original is learned later moves to its subscription`() throws {
        let first = row("u", "02-01", "03-01")
        let rest = """
            \(row("t", "01-01", "02-01"))
            \(row("u", "02-01", "03-01", "original=t"))
            \(row("v", "03-01", "04-01", "original=u"))
            \(row("w", "03-01", "04-01", "original=u"))
            """
        #expect(
            try periods("\(first)\n\(rest)") == [
                "u: v 03-01 04-01 04-01 -", "t: t 01-01 02-01 02-01 -",
                "t: u 02-01 03-01 03-01 -",
            ])
    }

    @Test func `an extension alone may state the end of a period`() throws {
        let text = """
            queue.purchased transaction=t purchasedAt=2026-01-01
            renewal.extended original=t transaction=t expiresAt=2026-02-01
            """
        #expect(try periods(text) == ["t: t 01-01 02-01 02-01 -"])
    }

    /// The periods of a history, which must be the same with its lines in reverse.
    private func periodsInAnyOrder(_ lines: [String]) throws -> [String] {
        let found = try periods(lines.joined(separator: "\n"))
        #expect(try periods(lines.reversed().joined(separator: "\n")) == found, "\(lines)")
        return found
    }

    @Test func `each extension extends the latest period that had started`() throws {
        let lines = [
            row("t", "01-01", "02-01"),
            "renewal.extended original=t expiresAt=2026-02-05 at=2026-01-15",
            row("u", "02-05", "03-05", "original=t"),
            "renewal.extended original=t expiresAt=2026-03-10 at=2026-02-20",
            // The first extension again, recorded later.
            "renewal.extended original=t expiresAt=2026-02-05 at=2026-02-21 signedAt=2026-01-15",
        ]
        #expect(
            try periodsInAnyOrder(lines)
                == ["t: t 01-01 02-05 02-05 -", "t: u 02-05 03-10 03-10 -"])
    }

    @Test func `the latest of two extensions of one period counts`() throws {
        let lines = [
            row("t", "01-01", "02-01"),
            "renewal.extended original=t expiresAt=2026-02-09 at=2026-01-14",
            "renewal.extended original=t expiresAt=2026-02-05 at=2026-01-15",
        ]
        #expect(try periodsInAnyOrder(lines) == ["t: t 01-01 02-05 02-05 -"])
        // Of two with the same time, the greater bytes win.
        let same = ["02-05", "02-09"].map {
            "renewal.extended original=t expiresAt=2026-\($0) at=2026-01-15"
        }
        #expect(
            try periodsInAnyOrder([row("t", "01-01", "02-01")] + same)
                == ["t: t 01-01 02-09 02-09 -"])
    }

    @Test(arguments: [
        ("renewal.graceExpired original=t at=2026-02-05", "02-05"),
        ("renewal.graceExpired original=t at=2026-02-07 signedAt=2026-02-05", "02-05"),
        ("renewal.expired original=t reason=billing at=2026-02-05", "02-05"),
        ("renewal.expired original=t reason=billing expiresAt=2026-02-04 at=2026-02-05", "02-04"),
        // An expiry at the end of the failed period does not say when grace ended.
        ("renewal.expired original=t reason=billing expiresAt=2026-02-01 at=2026-02-05", "02-05"),
        ("renewal.expired original=t reason=billing expiresAt=2026-02-16 at=2026-02-05", "02-16"),
        ("renewal.expired original=t reason=billing expiresAt=2026-02-01 at=2026-03-20", "02-16"),
        // With equal versions, the greater bytes win; the type decides.
        ("renewal.graceExpired original=t at=2026-02-05 signedAt=2026-02-02", "02-02"),
        ("renewal.expired original=t reason=billing at=2026-02-05 signedAt=2026-02-02", "02-16"),
        // The end of an earlier grace period.
        ("renewal.graceExpired original=t at=2026-01-20", "02-16"),
    ])
    func `a later statement ends a grace period`(
        _ word: String, _ end: String
    ) throws {
        let lines = [
            row("t", "01-01", "02-01"),
            "renewal.failed original=t graceExpiresAt=2026-02-16 at=2026-02-02", word,
        ]
        #expect(try periodsInAnyOrder(lines) == ["t: t 01-01 02-01 \(end) -"])
        let again = "renewal.failed original=t graceExpiresAt=2026-02-16 at=2026-03-21"
        #expect(try periodsInAnyOrder(lines + [again]) == ["t: t 01-01 02-01 02-16 -"])
    }

    @Test(arguments: [
        "renewal.graceExpired original=t", "renewal.expired original=t reason=billing",
    ])
    func `as of an instant before that statement grace still holds`(_ word: String) throws {
        let showing = Showing(
            timeline: """
                renewal.started transaction=t original=t product=month purchasedAt=2026-02-01 \
                expiresAt=2026-03-01
                renewal.failed original=t retrying=true graceExpiresAt=2026-03-16 at=2026-03-01
                \(word) at=2026-03-05
                log.noted text=end at=2026-03-20
                """)
        let keys = "active until because"
        #expect(
            try showing.brief(Entitlements.self, keys, asOf: "2026-03-04")
                == ["active=true until=2026-03-16 because=grace"])
        #expect(
            try showing.brief(Entitlements.self, keys, asOf: "2026-03-07")
                == ["active=false until=2026-03-05 because=grace"])
        let status = word.contains("graceExpired") ? "retry" : "expired"
        #expect(
            try showing.brief(Subscriptions.self, "status", asOf: "2026-03-07")
                == ["status=\(status)"])
    }
}
