import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// The events of each type of version 1 notification.
@Suite struct StatusUpdateNotificationTests {
    private let started = RenewalStarted<Written>(
        transaction: "t1", original: "t1", product: "monthly", purchasedAt: day("2-20"),
        expiresAt: day("3-20"))
    private let renewed = RenewalRenewed<Written>(
        transaction: "t2", original: "t1", product: "monthly", purchasedAt: day("3-20"),
        expiresAt: day("4-20"))

    @Test func `every type has a mapping that needs no remark`() throws {
        for kind in StatusUpdateNotification.Kind.allCases {
            let refund = #""cancellation_date_ms":"\#(day("3-1").milliseconds)""#
            let text = notification(
                kind.rawValue, [row("t1", from: "2-20", to: "3-20", refund), march],
                #""auto_renew_status":"true","auto_renew_product_id":"monthly""#)
            let result = try imported(text)
            #expect(result.remarks.isEmpty, "\(kind.rawValue)")
            #expect(result.rows.count == 2)
        }
    }

    @Test func `what is stated names its notification and is numbered`() throws {
        let result = try imported(notification("INITIAL_BUY", [february]))
        let received = try #require(result.events.dropFirst().first)
        guard case .notificationReceived(let told) = received.fact else {
            Issue.record("expected notification.received, seen \(received.type)")
            return
        }
        #expect(told.name == "INITIAL_BUY" && told.version == 1 && told.secret == nil)
        #expect(received.id == nil && received.source == nil)
        for (index, event) in result.events.dropFirst(2).enumerated() {
            #expect(event.source == told.notification)
            #expect(event.id == "\(told.notification)#\(index + 1)")
            #expect(event.environment == .production)
        }
        #expect(
            result.events.first?.fact
                == .logOpened(
                    .init(
                        schema: 1, app: "com.example.app", writer: "replay import")))
    }

    @Test func `a first purchase starts the subscription and a renewal renews it`() throws {
        #expect(
            try imported(notification("INITIAL_BUY", [february])).facts()
                == [.renewalStarted(started)])
        #expect(
            try imported(notification("DID_RENEW", [march, february])).facts()
                == [.renewalRenewed(renewed)])
    }

    @Test func `a recovery is a renewal that says so`() throws {
        var recovered = renewed
        recovered.recovered = true
        #expect(
            try imported(notification("DID_RECOVER", [march])).facts()
                == [.renewalRenewed(recovered)])
    }

    @Test func `the old word for a renewal says recovered only after a lapse`() throws {
        let late = row("t2", from: "4-2", to: "5-2")
        let facts = try imported(notification("RENEWAL", [february, late])).facts()
        guard case .renewalRenewed(let fact)? = facts.first else {
            Issue.record("expected a renewal")
            return
        }
        #expect(fact.recovered == true)
        #expect(
            try imported(notification("RENEWAL", [february, march])).facts()
                == [.renewalRenewed(renewed)])
    }

    @Test func `an interactive renewal is a return, an upgrade or a renewal as the rows tell`()
        throws
    {
        func facts(_ rows: String...) throws -> [Fact<Written>] {
            try imported(notification("INTERACTIVE_RENEWAL", rows)).facts()
        }
        var back = RenewalStarted<Written>(
            transaction: "t2", original: "t1", product: "monthly", purchasedAt: day("6-17"),
            expiresAt: day("7-17"), resubscribed: true)
        #expect(
            try facts(february, row("t2", from: "6-17", to: "7-17")) == [.renewalStarted(back)])
        back.purchasedAt = day("3-20")
        back.expiresAt = day("4-20")
        #expect(try facts(march) == [.renewalStarted(back)])
        #expect(try facts(february) == [.renewalStarted(started)])
        #expect(try facts(february, march) == [.renewalRenewed(renewed)])
        let upgraded = row("t1", from: "2-20", to: "3-20", #""is_upgraded":"true""#)
        let yearly = row("t2", product: "yearly", from: "3-1", to: "12-1")
        let upgrade = try facts(upgraded, yearly)
        #expect(
            upgrade.first
                == .renewalPlanChanged(
                    .init(original: "t1", product: "monthly", next: "yearly", effect: .now)))
        #expect(upgrade.map(\.type) == [.renewalPlanChanged, .renewalRenewed])
    }

    @Test func `an upgrade is as old as its purchase, and a later preference wins`() throws {
        let upgraded = row("t1", from: "2-20", to: "3-20", #""is_upgraded":"true""#)
        let rows = [upgraded, row("t2", product: "yearly", from: "3-1", to: "12-1")]
        let result = try imported(
            notification("INTERACTIVE_RENEWAL", rows),
            notification("DID_CHANGE_RENEWAL_PREF", rows, #""auto_renew_product_id":"small""#))
        let changes = result.events.filter { $0.type == .renewalPlanChanged }
        #expect(
            changes.map(\.signedAt) == [day("3-1"), day("3-1").advanced(byMilliseconds: 1)])
    }

    @Test func `a period that was refunded since is still the one that was renewed`() throws {
        let refunded = row(
            "t2", from: "3-20", to: "4-20",
            #""cancellation_date_ms":"\#(day("3-21").milliseconds)""#)
        let facts = try imported(notification("DID_RENEW", [february, refunded])).facts()
        #expect(
            facts == [
                .cancellationRefunded(
                    .init(transaction: "t2", original: "t1", cancelledAt: day("3-21"))),
                .renewalRenewed(renewed),
            ])
    }

    @Test(arguments: ["DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_PREFERENCE"])
    func `a changed preference takes effect at the next renewal`(type: String) throws {
        let facts = try imported(
            notification(type, [february], #""auto_renew_product_id":"small""#)
        ).facts()
        #expect(
            facts == [
                .renewalPlanChanged(
                    .init(original: "t1", product: "monthly", next: "small", effect: .nextRenewal))
            ])
    }

    @Test func `a changed status turns the renewal off or on, dated by the change`() throws {
        let changed = #""auto_renew_status_change_date_ms":"\#(day("3-2").milliseconds)""#
        let off = try imported(
            notification(
                "DID_CHANGE_RENEWAL_STATUS", [february], #""auto_renew_status":"false","# + changed)
        )
        #expect(off.facts() == [.renewalTurnedOff(original: "t1")])
        #expect(off.events.last?.signedAt == day("3-2"))
        #expect(off.events.last?.at == day("3-2"))
        let on = try imported(
            notification("DID_CHANGE_RENEWAL_STATUS", [february], #""auto_renew_status":true"#))
        #expect(on.facts() == [.renewalTurnedOn(original: "t1")])
    }

    @Test func `a failure tells retry and grace and is recorded after the period`() throws {
        let pending =
            #"{"original_transaction_id":"t1","product_id":"monthly","auto_renew_status":"1","#
            + #""is_in_billing_retry_period":"1","expiration_intent":"2","#
            + #""grace_period_expires_date_ms":"\#(day("4-5").milliseconds)"}"#
        let result = try imported(notification("DID_FAIL_TO_RENEW", [february], pending: pending))
        #expect(
            result.facts() == [
                .renewalFailed(
                    .init(
                        original: "t1", product: "monthly", retrying: true,
                        graceExpiresAt: day("4-5"))),
                .renewalTurnedOn(original: "t1"),
            ])
        #expect(result.events.last?.at == day("3-20"))
        let bare = try imported(notification("DID_FAIL_TO_RENEW", [february]))
        #expect(bare.facts() == [.renewalFailed(.init(original: "t1", product: "monthly"))])
    }

    @Test func `a price increase waits for consent unless it was given`() throws {
        #expect(
            try imported(notification("PRICE_INCREASE_CONSENT", [february])).facts()
                == [.renewalPriceIncreased(.init(original: "t1", consent: .pending))])
        let agreed = #"{"original_transaction_id":"t1","price_consent_status":"1"}"#
        #expect(
            try imported(notification("PRICE_INCREASE_CONSENT", [february], pending: agreed))
                .facts()
                == [.renewalPriceIncreased(.init(original: "t1", consent: .agreed))])
    }

    @Test func `a request for consumption is a request for a refund of the transaction`() throws {
        let coins = row("c1", of: "c1", product: "coins", from: "3-1")
        #expect(
            try imported(notification("CONSUMPTION_REQUEST", [coins])).facts()
                == [.cancellationRequested(transaction: "c1")])
        #expect(
            try imported(
                notification(
                    "CONSUMPTION_REQUEST", [], #""original_transaction_id":90071992547409931"#)
            ).facts() == [.cancellationRequested(transaction: "90071992547409931")])
    }

    @Test func `a type that is not known is kept by its name, and its rows are mapped`() throws {
        let result = try imported(notification("SOMETHING_NEW", [february]))
        #expect(result.text.contains(#""name":"SOMETHING_NEW""#))
        #expect(result.rows.map(\.transaction) == ["t1"])
        #expect(result.remarks(.note).count == 1)
        #expect(result.isComplete)
    }

    @Test func `what lacks the keys that its type needs is remarked on, and the rest is kept`()
        throws
    {
        for type in ["INITIAL_BUY", "DID_RENEW", "DID_FAIL_TO_RENEW", "CANCEL", "REVOKE"] {
            let result = try imported(notification(type))
            #expect(result.events.count == 2, "\(type)")
            #expect(result.remarks(.warning).contains { $0.contains("`\(type)`: expected") })
            #expect(!result.isComplete)
        }
        let silent = try imported(notification("DID_CHANGE_RENEWAL_STATUS", [february]))
        #expect(silent.facts().isEmpty && silent.rows.count == 1)
        #expect(silent.remarks(.warning).count == 1 && !silent.isComplete)
    }

    @Test func `legacy keys at the top level are read too`() throws {
        let legacy =
            #"{"notification_type":"RENEWAL","environment":"PROD","auto_renew_status":"true","#
            + #""latest_receipt_info":\#(march),"latest_receipt":"AAAA"}"#
        let result = try imported(legacy)
        #expect(result.rows.map(\.transaction) == ["t2"])
        #expect(
            result.facts() == [.renewalRenewed(renewed), .renewalTurnedOn(original: "t1")])
        let expired =
            #"{"notification_type":"DID_CHANGE_RENEWAL_STATUS","environment":"PROD","#
            + #""auto_renew_status":"false","expiration_intent":1,"#
            + #""latest_expired_receipt_info":\#(february)}"#
        let ended = try imported(expired)
        #expect(
            ended.facts() == [
                .renewalTurnedOff(original: "t1"),
                .renewalExpired(
                    .init(
                        original: "t1", product: "monthly", expiresAt: day("3-20"),
                        reason: .cancelled)),
            ])
        #expect(ended.events.last?.at == day("3-20"))
    }

    @Test func `several notifications are recorded in the order of their dates`() throws {
        let result = try imported(
            notification("DID_RENEW", [february, march]), notification("INITIAL_BUY", [february]))
        #expect(
            result.events.filter { $0.type == .notificationReceived }.map(\.at)
                == [day("2-20"), day("3-20")])
        let recorded = try imported(
            notification("INITIAL_BUY", [february]), recordedAt: "2026-08-01T00:00:00Z")
        #expect(Set(recorded.events.map(\.at)) == [day("8-1")])
    }

    @Test func `a repeated notification is received again and adds no facts`() throws {
        let text = notification("INITIAL_BUY", [february])
        let once = try imported(text)
        let twice = try imported(text + "\n" + text)
        #expect(twice.events.count == once.events.count + 1)
        #expect(twice.events.filter { $0.type == .notificationReceived }.count == 2)
        #expect(twice.remarks(.note).count == 1 && twice.isComplete)
    }

    @Test func `facts do not depend on what is imported beside them`() throws {
        let alone = try imported(notification("INITIAL_BUY", [february]))
        let together = try imported(
            notification("INITIAL_BUY", [february]), notification("DID_RENEW", [february, march]))
        let statements = try together.events.map { try LineWriter.content(of: $0) }
        for event in alone.events {
            #expect(statements.contains(try LineWriter.content(of: event)))
        }
    }
}
