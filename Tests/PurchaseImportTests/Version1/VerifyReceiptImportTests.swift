import Testing

@testable import PurchaseEvents

/// The events of a verifyReceipt response.
@Suite struct VerifyReceiptImportTests {
    @Test func `a response is one snapshot of all its rows, by purchase date`() throws {
        let result = try imported(response(inApp: [march], latest: [march, february]))
        #expect(
            result.events.map(\.type) == [
                .logOpened, .receiptRefreshed, .receiptListed, .receiptListed, .receiptValidated,
            ])
        #expect(result.rows.map(\.transaction) == ["t1", "t2"])
        #expect(Set(result.rows.map(\.receipt)).count == 1)
        #expect(result.rows.allSatisfy { $0.kind == .autoRenewable })
        for event in result.events.dropFirst() {
            #expect(event.signedAt == day("7-1") && event.at == day("7-1"))
            #expect(event.environment == .production && event.source == nil)
        }
    }

    @Test func `rows of one transaction are merged unless they contradict each other`() throws {
        let more = row("t1", from: "2-20", to: "3-20", #""subscription_group_identifier":"g""#)
        let merged = try imported(response(inApp: [february], latest: [more]))
        #expect(merged.rows.map(\.group) == ["g"])
        let longer = row("t1", from: "2-20", to: "3-25")
        let both = try imported(response(inApp: [february], latest: [longer]))
        #expect(both.rows.map(\.expiresAt) == [day("3-20"), day("3-25")])
    }

    @Test func `what is pending becomes facts of its line`() throws {
        let pending =
            #"{"original_transaction_id":"t1","product_id":"monthly","auto_renew_status":"0","#
            + #""auto_renew_product_id":"small","expiration_intent":"3","#
            + #""is_in_billing_retry_period":"0","price_increase_status":"0"}"#
        let result = try imported(response(latest: [february], pending: pending))
        #expect(
            Array(result.facts().dropFirst(2)) == [
                .renewalTurnedOff(original: "t1"),
                .renewalPlanChanged(
                    .init(original: "t1", product: "monthly", next: "small", effect: .nextRenewal)),
                .renewalPriceIncreased(.init(original: "t1", consent: .pending)),
                .renewalExpired(
                    .init(
                        original: "t1", product: "monthly", expiresAt: day("3-20"),
                        reason: .priceIncrease)),
            ])
        #expect(result.remarks.isEmpty)
    }

    @Test func `a reason for an expiry that lies ahead cuts nobody off`() throws {
        let pending =
            #"{"original_transaction_id":"t1","auto_renew_status":"0","expiration_intent":"1"}"#
        let result = try imported(response(latest: [february], pending: pending, on: "3-1"))
        #expect(Array(result.facts().dropFirst(2)) == [.renewalTurnedOff(original: "t1")])
        #expect(result.events.last?.at == day("3-1"))
    }

    @Test func `while the store retries nothing has expired`() throws {
        let pending =
            #"{"original_transaction_id":"t1","expiration_intent":"2","#
            + #""is_in_billing_retry_period":"1"}"#
        let result = try imported(response(latest: [february], pending: pending))
        #expect(
            result.facts().last == .renewalFailed(.init(original: "t1", retrying: true)))
    }

    @Test(arguments: [
        (0, ValidationOutcome.valid), (21006, .valid), (21003, .invalid), (21007, .invalid),
        (21010, .invalid), (21005, .unreachable), (21004, .unreachable), (21150, .unreachable),
    ])
    func `a status alone is a validation and no empty receipt`(
        status: Int, outcome: ValidationOutcome
    ) throws {
        let result = try imported(#"{"status":\#(status)}"#, recordedAt: "2026-08-01T00:00:00Z")
        #expect(result.events.map(\.type) == [.logOpened, .receiptValidated])
        guard case .receiptValidated(let told)? = result.events.last?.fact else { return }
        #expect(told.outcome == outcome && told.status == Int64(status))
        #expect(result.events.last?.environment == (status == 21007 ? .production : nil))
    }

    @Test(arguments: [
        #""receipt":null"#, #""receipt":"","latest_receipt_info":null"#,
        #""latest_receipt":"AAAA","environment":"""#, #""new_key":null"#,
    ])
    func `a refusal may name what it doesn't hold`(more: String) throws {
        let result = try imported(
            #"{"status":21002,\#(more)}"#, recordedAt: "2026-08-01T00:00:00Z")
        #expect(result.events.map(\.type) == [.logOpened, .receiptValidated])
        #expect(result.isComplete)
        // Another object with a status isn't a response.
        #expect(try imported(#"{"status":21002,"level":"info"}"#).events.isEmpty)
    }

    @Test func `receipts of nobody with no purchase in common may be of different users`() throws {
        let other = response(latest: [row("u1", of: "u1", from: "2-20", to: "3-20")])
        let first = response(latest: [february])
        let later = response(latest: [february, march], on: "7-2")
        #expect(try imported(first, later).remarks.isEmpty)
        let result = try imported(first, later, other, other)
        let notes = result.remarks(.note).filter { $0.contains("share no purchase") }
        #expect(notes.count == 1 && notes.first?.contains("0.json:1") == true)
        #expect(result.isComplete)
        let token = #""app_account_token":"anna""#
        let named = response(latest: [row("u1", of: "u1", from: "2-20", to: "3-20", token)])
        #expect(try imported(first, named).remarks.isEmpty)
    }

    @Test func `a test receipt is of the sandbox, whatever else it says`() throws {
        let result = try imported(response(latest: [february], type: "ProductionSandbox"))
        #expect(result.events.dropFirst().allSatisfy { $0.environment == .sandbox })
        #expect(result.remarks(.note).count == 1)
    }

    @Test func `the account is the app's token, of a line and of a receipt`() throws {
        let token = #""app_account_token":"7e3fb204-2e1b-4d5f-9f38-0b8a4b3b6c1d""#
        let pending = #"{"original_transaction_id":"t1","auto_renew_status":"1"}"#
        let result = try imported(
            response(latest: [row("t1", from: "2-20", to: "3-20", token)], pending: pending))
        #expect(
            result.events.dropFirst().allSatisfy {
                $0.account == "7e3fb204-2e1b-4d5f-9f38-0b8a4b3b6c1d"
            })
    }

    @Test func `a receipt of a consumable says nothing of its kind`() throws {
        let coins = row("c1", of: "c1", product: "coins", from: "3-1", #""quantity":"3""#)
        let result = try imported(response(inApp: [coins]))
        #expect(result.rows.first?.kind == nil && result.rows.first?.quantity == 3)
    }

    @Test func `an iOS 6 style response is read`() throws {
        let text =
            #"{"status":21006,"receipt":{"transaction_id":"t1","original_transaction_id":"t1","#
            + #""product_id":"monthly","purchase_date_ms":"1771545600000","quantity":"1","#
            + #""expires_date":"1773964800000","expires_date_formatted":"x","bid":"com.example.a","#
            + #""bvrs":"1","item_id":"5","unique_identifier":"u"},"auto_renew_status":0,"#
            + #""expiration_intent":"1","latest_expired_receipt_info":\#(march)}"#
        let result = try imported(text)
        #expect(result.rows.map(\.transaction) == ["t1", "t2"])
        #expect(result.rows.first?.expiresAt == Timestamp(milliseconds: 1_773_964_800_000))
        #expect(
            result.facts().map(\.type) == [
                .receiptRefreshed, .receiptValidated, .renewalTurnedOff, .renewalExpired,
            ])
        #expect(result.text.contains(#""app":"com.example.a""#))
    }

    @Test func `the same response again adds nothing`() throws {
        let text = response(latest: [february])
        #expect(try imported(text, text).log == (try imported(text).log))
    }
}
