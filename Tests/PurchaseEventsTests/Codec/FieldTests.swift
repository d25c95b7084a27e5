import Testing

@testable import PurchaseEvents

struct FieldTests {
    @Test(arguments: EventType.allCases)
    func `a line without a required key is not understood`(_ type: EventType) {
        for field in type.canonicalFields where type.requires(field) {
            let diagnostic = Decoded(LineSample.full(type).without(field.key).text).diagnostic
            #expect(diagnostic?.code == .missingKey)
            #expect(diagnostic?.message.contains("`\(field.key.wireName)`") == true)
        }
    }

    @Test(arguments: EventType.allCases)
    func `a value of the wrong kind is reported with its place`(_ type: EventType) throws {
        for field in type.canonicalFields {
            var wrong = ["null", "[]", "{}", "[\"a\"]", "1.0", "1e0", "-0.5", "1E+2"]
            switch field.kind {
            case .integer: wrong += ["\"1\"", "true", "false"]
            case .flag: wrong += ["\"true\"", "1", "0"]
            case .name, .id, .text, .time, .currency, .word: wrong += ["1", "true", "false"]
            }
            for value in wrong {
                let line = LineSample.full(type).setting(field.key, to: value).text
                let diagnostic = Decoded(line).diagnostic
                #expect(diagnostic?.code == .wrongKind, "\(line)")
                let place = try #require(line.range(of: "\"\(field.key.wireName)\":\(value)"))
                let byte = line[..<place.upperBound].utf8.count - value.utf8.count + 1
                #expect(diagnostic?.byte == byte, "\(line)")
            }
        }
    }

    @Test(arguments: EventType.allCases)
    func `an integer is accepted only within its range`(_ type: EventType) {
        for field in type.canonicalFields {
            guard case .integer(let range) = field.kind else { continue }
            let newest = field.key == .schema ? 1 : range.upperBound
            for value in [range.lowerBound, newest] {
                #expect(outcome(type, field.key, "\(value)") == "event")
            }
            let beyond = field.key == .schema ? [] : [range.upperBound + 1]
            let digits = ["99999999999999999", "9223372036854775808", "-9223372036854775809"]
            for value in ([range.lowerBound - 1] + beyond).map({ "\($0)" }) + digits {
                #expect(outcome(type, field.key, value) == "out-of-range", "\(field.key) \(value)")
            }
            let many = String(repeating: "9", count: 400)
            #expect(outcome(type, field.key, many) == "out-of-range")
            #expect(
                outcome(type, field.key, "-0") == (range.contains(0) ? "event" : "out-of-range"))
            for value in [
                "01", "-01", "00", "+1", "-", "1.", ".5", "0x1", "1_0", "NaN", "Infinity",
            ] {
                #expect(outcome(type, field.key, value) == "not-json", "\(field.key) \(value)")
            }
        }
    }

    @Test func `the largest integers are those that every JSON reader accepts`() {
        let sample = LineSample.full(.queueFailed)
        let code = { (value: String) -> Int64? in
            guard
                case .queueFailed(let failed) = Decoded(sample.setting(.code, to: value).text)
                    .event?.fact
            else { return nil }
            return failed.code
        }
        #expect(code("9007199254740991") == 9_007_199_254_740_991)
        #expect(code("-9007199254740991") == -9_007_199_254_740_991)
        #expect(code("9007199254740992") == nil)
        #expect(code("-9007199254740992") == nil)
        #expect(code("-0") == 0)
        #expect(code("0") == 0)
    }

    @Test(arguments: EventType.allCases)
    func `a line with an unknown word of a closed list is not understood`(_ type: EventType) {
        for field in type.canonicalFields {
            guard case .word(let words) = field.kind else { continue }
            let first = words[0]
            let wrong = [
                "", "nonesuch", first.uppercased(), first + " ", " " + first,
                String(first.dropLast()),
                first + #"\u0000"#, #"\u0000"# + first, String(repeating: "a", count: 300),
            ]
            for word in wrong {
                let line = LineSample.full(type).setting(field.key, to: "\"\(word)\"").text
                #expect(Decoded(line).outcome == "unknown-value", "\(line)")
            }
            let escaped = first.unicodeScalars.map { "\\u00" + String($0.value, radix: 16) }
            #expect(outcome(type, field.key, "\"\(escaped.joined())\"") == "event")
        }
    }

    @Test(arguments: [
        "", "store.closed", "Log.noted", "log.noted ", #"log.noted\u0000"#, "lognoted", "log",
        "a.type.of.more.than.twenty-four.bytes",
    ])
    func `a line of an unknown type is not understood`(_ name: String) {
        let line = LineSample.full(.logNoted).setting(.type, to: "\"\(name)\"").text
        #expect(Decoded(line).outcome == "unknown-type")
    }

    @Test(arguments: EventType.allCases)
    func `a time that doesn't exist is reported`(_ type: EventType) {
        for field in type.canonicalFields where field.kind == .time {
            for time in ["", "2026-02-30T09:00:00.000Z", "2026-02-20", "now"] {
                #expect(outcome(type, field.key, "\"\(time)\"") == "bad-time")
            }
            for time in ["2026-02-20T09:00:00Z", #"2026-02-20T10:00:00.000000000\u002b01:00"#] {
                #expect(outcome(type, field.key, "\"\(time)\"") == "event")
            }
        }
    }

    @Test(arguments: EventType.allCases)
    func `a currency is three capital letters`(_ type: EventType) {
        for field in type.canonicalFields where field.kind == .currency {
            for currency in ["", "eur", "EU", "EURO", "€", #"EUR\u0000"#] {
                #expect(outcome(type, field.key, "\"\(currency)\"") == "out-of-range")
            }
            #expect(outcome(type, field.key, #""\u0045UR""#) == "event")
        }
    }

    @Test(arguments: [
        ("\"" + String(repeating: "0123456789abcdef", count: 4) + "\"", "event"),
        ("\"" + String(repeating: "0", count: 63) + "\"", "out-of-range"),
        ("\"" + String(repeating: "0", count: 65) + "\"", "out-of-range"),
        ("\"" + String(repeating: "A", count: 64) + "\"", "out-of-range"),
        ("\"" + String(repeating: "g", count: 64) + "\"", "out-of-range"),
        ("\"\"", "out-of-range"), ("null", "wrong-kind"), ("1", "wrong-kind"),
    ])
    func `a chain value is 64 lower-case hex digits`(_ value: String, _ outcome: String) {
        #expect(
            Decoded(LineSample.full(.appLaunched).setting(.chain, to: value).text).outcome
                == outcome)
    }

    @Test(arguments: [EventType.queueFinished, .queueRemoved])
    func `a line names either a transaction or a payment`(_ type: EventType) {
        let transaction = LineSample.minimal(type)
        #expect(Decoded(transaction.text).event?.fact.transaction == "transaction-1")
        let payment = transaction.without(.transaction).adding(.payment, "\"p\"")
        #expect(Decoded(payment.text).event?.fact.payment == "p")
        #expect(Decoded(payment.text).event?.fact.transaction == nil)
        let both = transaction.adding(.payment, "\"p\"")
        #expect(Decoded(both.text).outcome == "wrong-kind")
        let neither = transaction.without(.transaction)
        #expect(Decoded(neither.text).outcome == "missing-key")
    }

    private func outcome(_ type: EventType, _ key: Key, _ value: String) -> String {
        Decoded(LineSample.full(type).setting(key, to: value).text).outcome
    }
}
