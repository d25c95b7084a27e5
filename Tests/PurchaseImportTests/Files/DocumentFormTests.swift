import Foundation
import PurchaseSignatures
import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// Documents as people have them: decoded, in envelopes, in tables, in base64.
struct DocumentFormTests {
    private static let refund = coins.with(
        ("revocationDate", day("3-24")), ("revocationReason", 1))
    private static let body: Payload = [
        "signedPayload": unsignedJWS(serverNotification("REFUND", transaction: refund))
    ]
    private static let decoded = serverNotification("REFUND").with(
        ("data", ["environment": "Production", "signedTransactionInfo": refund] as Payload))

    private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    @Test func `parts may stand decoded at every level`() throws {
        let decoded = try importedUnverified(Self.decoded.json)
        #expect(
            decoded.events.map(\.type).dropFirst() == [
                .notificationReceived, .receiptListed, .cancellationRefunded,
            ])
        #expect(decoded.tally.signatures == [.unchecked: 2] && decoded.isComplete)
        let page: Payload = [
            "revision": "r", "hasMore": true, "environment": "Production",
            "signedTransactions": [march2026, unsignedJWS(Self.refund)] as [any Sendable],
        ]
        let listed = try importedUnverified(page.json)
        #expect(listed.rows.count == 2 && listed.isComplete)
        #expect(listed.remarks(.note).first?.contains("more history pages follow") == true)
        let whole = try importedUnverified(page.json, page.with(("hasMore", false)).json)
        #expect(whole.remarks(.note).isEmpty)
    }

    @Test func `an envelope holds one document, at most four levels down`() throws {
        let alone = try importedUnverified(Self.body.json)
        // A notification by SNS and SQS to Lambda.
        let message = (["Message": Self.body.json] as Payload).json
        let forms: [Payload] = [
            ["receivedAt": 1, "body": Self.body], ["id": 7, "event": ["n": Self.body] as Payload],
            ["a": ["b": ["c": ["d": Self.body] as Payload] as Payload] as Payload],
            ["raw": base64(Self.body.json)], ["raw": base64("{ \n" + Self.body.json.dropFirst())],
            ["Records": [["body": Self.body.json] as Payload] as [any Sendable]],
            ["Records": [["body": message] as Payload] as [any Sendable]],
            ["a": ["b": ["c": ["d": Self.body.json] as Payload] as Payload] as Payload],
            ["raw": base64(message)],
        ]
        for form in forms {
            let result = try importedUnverified(form.json)
            #expect(result.log == alone.log, "\(form.json.prefix(60))")
            #expect(result.isComplete)
        }
        let deep: Payload = ["z": forms[2]]
        #expect(try importedUnverified(deep.json).events.isEmpty)
        let two: Payload = ["a": Self.body, "b": Self.body]
        let error = try importedUnverified(two.json).remarks(.error).first
        #expect(error?.contains("seen several, at `a`, `b`") == true)
    }

    @Test func `a batch of messages holds all its documents`() throws {
        let other: Payload = [
            "signedPayload": unsignedJWS(serverNotification("TEST", uuid: "n2", on: "3-23"))
        ]
        func record(_ body: String) -> Payload {
            ["body": (["Type": "Notification", "Message": body] as Payload).json]
        }
        let confirmation: Payload = ["body": (["Type": "Subscription"] as Payload).json]
        let records = [record(Self.body.json), record(other.json)]
        let alone = try importedUnverified(Self.body.json, other.json)
        func result(_ records: [Payload]) throws -> ImportResult {
            try importedUnverified((["Records": records as [any Sendable]] as Payload).json)
        }
        let batch = try result(records)
        #expect(batch.log == alone.log && batch.isComplete)
        let mixed = try result([confirmation] + records)
        #expect(mixed.log == alone.log)
        #expect(mixed.remarks(.error).count == 1)
    }

    @Test func `texts in texts end`() throws {
        func wrapped(_ count: Int, _ wrap: (String) -> String) -> String {
            (0..<count).reduce(Self.body.json) { text, _ in wrap(text) }
        }
        for (count, isRead) in [(1, true), (4, true), (5, false), (9, false)] {
            let text = wrapped(count) {
                "[" + (["a": $0] as Payload).json.dropFirst(5).dropLast() + "]"
            }
            let result = try importedUnverified((["body": text] as Payload).json)
            #expect(result.events.isEmpty != isRead, "\(count): \(result.printed)")
            let encoded = wrapped(count) { base64((["a": $0] as Payload).json) }
            #expect(try importedUnverified(encoded).events.isEmpty != isRead, "\(count)")
        }
    }

    @Test func `a notification is the same, signed or decoded`() throws {
        let notification = serverNotification("REFUND", transaction: Self.refund)
        let jws = unsignedJWS(notification)
        let other =
            jws.split(separator: ".").dropLast().joined(separator: ".") + "."
            + base64URL([UInt8](repeating: 7, count: 64))
        let alone = try importedUnverified((["signedPayload": jws] as Payload).json)
        let decoded = notification.with(
            (
                "data",
                notification["data"].map { (data: Payload) in
                    data.with(("signedTransactionInfo", Self.refund))
                }
            ))
        let texts = [jws, other, notification.json, decoded.json, jws, notification.json]
        let all = try importedUnverified(texts.joined(separator: "\n"))
        #expect(all.log == alone.log, "\(all.text)")
        #expect(all.tally.repeated == 5)
    }

    @Test func `other members are counted`() throws {
        let envelope: Payload = ["id": 7, "none": RawJSON(text: "null"), "body": Self.body]
        let result = try importedUnverified(envelope.json)
        #expect(
            result.tally.unplaced == [.init(kind: "envelopes", thing: "other members"): 1])
        let kept = Self.body.with(("receivedAt", "2026-03-22"), ("sendAttempts", [Payload]()))
        let beside = try importedUnverified(kept.json)
        #expect(beside.log == result.log)
        #expect(beside.tally.unplaced == result.tally.unplaced)
    }

    private func table(
        _ text: String, name: String = "dump.csv", column: String? = nil
    ) throws -> ImportResult {
        try imported([ImportFile(name, text)]) {
            $0.verifies = false
            $0.column = column
        }
    }

    @Test func `a column of a table holds documents`() throws {
        let jws = unsignedJWS(Self.refund), other = unsignedJWS(march2026)
        let json = Self.body.json.replacing("\"", with: "\"\"")
        let rows = try table("id,raw,at\r\n1,,x\r\n2,\(jws),y\r\n3,\(other),\r\n")
        #expect(rows.rows.count == 2 && rows.isComplete)
        #expect(rows.tally.unplaced == [.init(kind: "tables", thing: "other cells"): 5])
        #expect(try table("id\traw\n1\t\(jws)\n", name: "dump").rows.count == 1)
        #expect(try table("id,raw\n1,\"\(json)\"\n2,\\N\n").rows.count == 1)
        let two = "id,raw,other\n1,\(jws),\(other)\n"
        #expect(try table(two).rows.count == 2)
        #expect(try table(two, column: "other").rows.map(\.transaction) == ["t2"])
    }

    @Test func `a bad row of a table costs itself`() throws {
        let jws = unsignedJWS(Self.refund), other = unsignedJWS(march2026)
        let result = try table("id,raw\n1,\(jws)\n2\n3,?\n4,\(other)\n")
        #expect(result.rows.count == 2)
        let errors = result.remarks(.error)
        #expect(errors.count == 2)
        #expect(errors.contains { $0.contains("csv:3: error: expected 2 cells") })
        #expect(errors.contains { $0.contains("csv:4: error: expected App Store data") })
    }

    @Test func `a JWS with white space in its header is said to be what it is`() throws {
        let parts = unsignedJWS(Self.refund).split(separator: ".").map(String.init)
        let header = base64URL(Array(#"{ "alg" : "HS256" }"#.utf8))
        let text = ([header] + parts.dropFirst()).joined(separator: ".")
        let file = ImportFile(name: "a", bytes: Array("\(text)\n".utf8))
        let result = try imported([file])
        #expect(result.remarks(.error).first?.contains("`alg` is `HS256`") == true)
        #expect(try importedUnverified(text).rows.count == 1)
    }

    @Test func `what isn't a document is named`() throws {
        let request: Payload = [
            "originalTransactionId": "t1", "appAppleId": 7, "productId": "monthly",
            "userLocale": "de-DE", "requestIdentifier": "r", "environment": "Production",
            "signedDate": day("3-21"),
        ]
        let retention = try importedUnverified(
            (["signedPayload": unsignedJWS(request)] as Payload).json)
        #expect(retention.events.isEmpty && retention.isComplete)
        #expect(retention.remarks(.note).first?.contains("retention message") == true)
        for legacy in [
            "{\n\t\"signature\" = \"AqB\";\n\t\"purchase-info\" = \"ewo\";\n}\n",
            #"{"receipt-data":"\#(base64("{ \"signature\" = \"AqB\"; }"))"}"#,
        ] {
            let file = ImportFile("a", legacy)
            let result = try imported([file]) { $0.opensReceipts = true }
            #expect(result.remarks(.error).count == 1)
            #expect(
                result.remarks(.error).first?.contains("iOS 6 style") == true, "\(result.remarks)")
        }
    }

    @Test func `attempts that all failed are told`() throws {
        func page(_ results: String...) -> Payload {
            let attempts: [any Sendable] = results.map { word -> any Sendable in
                ["attemptDate": day("3-22"), "sendAttemptResult": word] as Payload
            }
            let item = Self.body.with(("sendAttempts", attempts))
            return ["hasMore": false, "notificationHistory": [item] as [any Sendable]]
        }
        let failed = try importedUnverified(page("TIMED_OUT", "NO_RESPONSE").json)
        #expect(
            failed.remarks(.note).first?.hasSuffix(
                "all 2 attempts to send this notification failed; the last result is `NO_RESPONSE`")
                == true)
        #expect(try importedUnverified(page("TIMED_OUT", "SUCCESS").json).remarks.isEmpty)
    }

    @Test func `a log is told from App Store data`() throws {
        func words(_ text: String, _ name: String = "a") -> String? {
            DocumentHead.words(of: Array(text.utf8), name: name)
        }
        #expect(words(Self.body.json) == "a notification of version 2")
        #expect(words(String(Self.body.json.prefix(90))) == "App Store data")
        #expect(words(unsignedJWS(march2026)) == "a transaction")
        #expect(words("[\(march2026.json)]") == "a transaction")
        #expect(words("id,raw\n1,\(unsignedJWS(march2026))\n") == "a table with App Store data")
        let response = try StoryDocument.text("response february", jws: unsignedJWS(_:))
        #expect(words(response) == "a verifyReceipt response")
        for log in [
            #"{"seq":1,"at":"2026-01-01T00:00:00.000Z","type":"log.opened","schema":1}"#,
            #"{"seq":1,"at":"2026-01-01T00:00:00.000Z","type":"log.op"#, "", "hello, world\n",
            #"{"seq":1,"at":"2026-01-01T00:00:00.000Z","type":"log.opened","schema":2}"#,
        ] {
            #expect(words(log) == nil, "\(log)")
        }
    }
}
