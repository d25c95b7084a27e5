import PurchaseEvents
import Testing

@testable import PurchaseImport

struct CellValueTests {
    private func time(_ text: String, zone: Int64? = nil) -> String? {
        Array(text.utf8).withUnsafeBytes { RowTime(zone: zone).time($0)?.text }
    }

    @Test(arguments: [
        ("2026-02-20T09:00:00Z", "2026-02-20T09:00:00.000Z"),
        ("2026-02-20T09:00:00.123456789+01:00", "2026-02-20T08:00:00.123Z"),
        ("2026-02-20 09:00:00.5+00", "2026-02-20T09:00:00.500Z"),
        ("2026-02-20 09:00:00 +0530", "2026-02-20T03:30:00.000Z"),
        ("2026-02-20 09:00:00 UTC", "2026-02-20T09:00:00.000Z"),
        ("2026-02-20t09:00z", "2026-02-20T09:00:00.000Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
        ("1771578000", "2026-02-20T09:00:00.000Z"),
        ("1771578000.25", "2026-02-20T09:00:00.250Z"),
        ("1771578000250", "2026-02-20T09:00:00.250Z"),
        ("0", "1970-01-01T00:00:00.000Z"), ("-1", "1969-12-31T23:59:59.000Z"),
        ("99999999999", "5138-11-16T09:46:39.000Z"),
        ("100000000000", "1973-03-03T09:46:40.000Z"),
    ])
    func `a time is RFC 3339, or seconds or milliseconds since 1970`(text: String, time: String) {
        #expect(self.time(text) == time)
    }

    @Test func `a time without a zone needs one, and nothing else is a time`() {
        #expect(time("2026-02-20T09:00:00") == nil && time("2026-02-20") == nil)
        #expect(time("2026-02-20T09:00:00", zone: 60) == "2026-02-20T08:00:00.000Z")
        #expect(time("2026-02-20", zone: -90) == "2026-02-20T01:30:00.000Z")
        #expect(time("2026-02-20T09:00:00Z", zone: 60) == "2026-02-20T09:00:00.000Z")
        for text in [
            "", " ", "-", "Z", "2026-02-30T00:00:00Z", "2026-02-20T24:00:00Z", "2026-02-20T09:61Z",
            "2026-02-20T09:00:00+24:00", "2026-02-20T09:00:00Z ", "1771578000.", "1e9", "+5",
            "1771578000000000", "9999999999999999999999", "20.02.2026", "2026-02-20T09:00:00.Z",
        ] {
            #expect(time(text, zone: 0) == nil, "\(text)")
        }
        let hint = Array("2026-02-20T09:00".utf8).withUnsafeBytes { RowTime().problem($0) }
        #expect(hint.contains("pass --zone"))
    }

    @Test func `zones are east of UTC`() {
        #expect(RowMapping.zone("Z") == 0 && RowMapping.zone("+00:00") == 0)
        #expect(RowMapping.zone("+05:30") == 330 && RowMapping.zone("-0800") == -480)
        #expect(RowMapping.zone("+9") == nil && RowMapping.zone("CET") == nil)
        #expect(RowMapping.zone("+01:00 ") == nil && RowMapping.zone("") == nil)
    }

    /// The value of a cell, or the error.
    private func value(
        _ cell: String, _ key: Key, of type: EventType,
        _ forms: RowForms = RowForms(times: RowTime(), amounts: .thousandths)
    ) throws -> String {
        let field = try #require((EventType.envelope + type.schema).first { $0.key == key })
        var line = LineBuffer()
        let problem = Array(cell.utf8).withUnsafeBytes {
            CellValue.append($0, of: key, field.kind, forms, to: &line)
        }
        return problem ?? String(decoding: line.written, as: UTF8.self)
    }

    @Test(arguments: [
        ("4.99", AmountUnit.thousandths, "4990"), ("4990", .thousandths, "4990"),
        ("499", .cents, "4990"), ("39.9", .cents, "39900"), ("0", .units, "0"),
        ("4", .units, "4000"), ("0.0", .thousandths, "0"), ("-4.99", .units, "-4990"),
        ("3.9900000000000002", .units, "3990"), ("19.989999999999998", .units, "19990"),
        ("0.0004999", .units, "0"), ("0.0005", .units, "1"), ("-0.9996", .cents, "-1000"),
    ])
    func `an amount with a decimal point is in units, a whole number as said`(
        cell: String, unit: AmountUnit, written: String
    ) throws {
        let forms = RowForms(times: RowTime(), amounts: unit)
        #expect(try value(cell, .price, of: .receiptListed, forms) == written)
        #expect(try value(cell, .commitmentPrice, of: .receiptListed, forms) == written)
    }

    @Test func `what is no amount is refused`() throws {
        for cell in ["4,99", "4.9.9", "1e3", "$4.99", "-", ".", "4.", ".5", "9007199254740993"] {
            #expect(
                try value(cell, .price, of: .receiptListed)
                    == "expected an amount such as 4.99, seen `\(cell)`")
        }
    }

    @Test func `an account in the form of a UUID is written in lower case`() throws {
        let token = "6F1C2B1E-3D47-4A90-8C55-2B7E90D1F3A8"
        #expect(
            try value(token, .account, of: .receiptListed) == "\"\(token.lowercased())\"")
        #expect(try value(token, .from, of: .accountLinked) == "\"\(token.lowercased())\"")
        for other in ["User-A", token + "F", "6F1C2B1E+3D47-4A90-8C55-2B7E90D1F3A8"] {
            #expect(try value(other, .account, of: .receiptListed) == "\"\(other)\"")
        }
        #expect(try value(token, .transaction, of: .receiptListed) == "\"\(token)\"")
    }

    @Test func `words of StoreKit become the format's`() throws {
        for (cell, word) in [
            ("consumable", "consumable"), ("Consumable", "consumable"),
            ("Non-Consumable", "nonConsumable"), ("nonRenewing", "nonRenewing"),
            ("Auto-Renewable Subscription", "autoRenewable"),
            ("Non-Renewing Subscription", "nonRenewing"),
        ] {
            #expect(try value(cell, .kind, of: .receiptListed) == "\"\(word)\"")
        }
        #expect(try value("FAMILY_SHARED", .ownership, of: .receiptListed) == #""familyShared""#)
        #expect(try value("ASSIGNED", .ownership, of: .receiptListed) == #""assigned""#)
        #expect(try value("5", .offer, of: .receiptListed) == #""retention""#)
        #expect(try value("MONTHLY", .plan, of: .receiptListed) == #""monthly""#)
        #expect(try value("2", .offer, of: .receiptListed) == #""promotional""#)
        #expect(try value("LocalTesting", .environment, of: .appLaunched) == #""xcode""#)
        #expect(try value("Production", .environment, of: .appLaunched) == #""production""#)
        let unknown = try value("lost", .reason, of: .deliveryWithdrawn)
        #expect(
            unknown == "expected one of refunded, revoked, expired, upgraded, other, seen `lost`")
    }

    @Test func `errors are StoreKit's codes and names, or what they are`() throws {
        for (cell, word) in [
            ("2", "cancelled"), ("4", "notAllowed"), ("3", "invalidPayment"),
            ("1", "invalidClient"), ("5", "productUnavailable"), ("7", "network"),
            ("0", "unknown"), ("SKErrorDomain 2", "cancelled"), ("paymentCancelled", "cancelled"),
            ("StoreKitError.userCancelled", "cancelled"),
            ("SKError.paymentNotAllowed", "notAllowed"),
            ("SKErrorDomain 0 (ASDServerErrorDomain 2024)", "interrupted"),
            ("cancelled", "cancelled"), ("interrupted", "interrupted"),
            ("overlayTimeout", "overlayTimeout"), ("6", "6"),
            ("card \"declined\"", #"card \"declined\""#),
        ] {
            #expect(try value(cell, .error, of: .queueFailed) == "\"\(word)\"", "\(cell)")
        }
    }

    @Test func `flags, numbers and currencies are read exactly`() throws {
        for (cell, flag) in [("t", "true"), ("TRUE", "true"), ("1", "true"), ("no", "false")] {
            #expect(try value(cell, .upgraded, of: .receiptListed) == flag)
        }
        #expect(try value("maybe", .upgraded, of: .receiptListed).hasPrefix("expected true or"))
        #expect(try value("4990", .price, of: .receiptListed) == "4990")
        for cell in ["4.99", "4 990", "0x10", "1e3", "9007199254740992"] {
            #expect(try value(cell, .quantity, of: .receiptListed).hasPrefix("expected a whole"))
        }
        let row = "at,tx,cur\n1,t,eur\n1,t2,EUR\n"
        let mapping = try RowMapping(events: [
            .init(
                type: .receiptListed, columns: [.at: "at", .transaction: "tx", .currency: "cur"],
                constants: [.product: "p", .purchasedAt: "1", .price: "1"])
        ])
        let result = try importedRows([ImportFile("a", row)], mapping)
        #expect(result.delivered == ["t2"] && result.remarks.map(\.place.line) == [2])
    }
}
