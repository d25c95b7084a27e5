import Testing

@testable import PurchaseEvents

struct PrecedenceTests {
    private let long = String(repeating: " ", count: 65_537)

    @Test func `the content of a line that is too long isn't examined`() {
        #expect(Decoded(Array(long.utf8) + [0xFF]).outcome == "line-too-long")
        #expect(Decoded(long + "{").outcome == "line-too-long")
    }

    @Test func `encoding takes precedence over syntax, and syntax over content`() {
        #expect(Decoded(Array("{,".utf8) + [0xFF]).outcome == "not-utf8")
        #expect(Decoded(#"{"a":1,"a":1,"#).outcome == "not-json")
        #expect(Decoded(#"{"a":1,"a":"\ud800"}"#).outcome == "not-utf8")
        #expect(Decoded(#"[{"a":1,"a":1}]"#).outcome == "not-an-object")
        #expect(Decoded(#"{"type":"nonesuch","type":1}"#).outcome == "duplicate-key")
    }

    @Test func `the type takes precedence over the keys`() {
        #expect(Decoded(#"{"type":"nonesuch","seq":"a"}"#).outcome == "unknown-type")
        #expect(Decoded(#"{"type":1,"seq":"a"}"#).outcome == "wrong-kind")
        #expect(Decoded(#"{"seq":"a","at":1}"#).diagnostic?.code == .missingKey)
        #expect(Decoded(#"{"seq":"a","at":1}"#).diagnostic?.message.contains("`type`") == true)
    }

    /// Makes a key and all later keys invalid: the first one is reported.
    @Test(arguments: EventType.allCases)
    func `problems with keys are reported in canonical order`(_ type: EventType) {
        let sample = LineSample.full(type)
        let keys = type.canonicalFields.map(\.key).filter { key in
            key != .type && sample.members.contains { $0.key == key.wireName }
        }
        for (index, key) in keys.enumerated() {
            var spoilt = sample
            for later in keys[index...] { spoilt = spoilt.setting(later, to: "null") }
            spoilt.members.reverse()
            let diagnostic = Decoded(spoilt.text).diagnostic
            #expect(diagnostic?.code == .wrongKind)
            #expect(diagnostic?.message.hasPrefix("`\(key.wireName)`") == true, "\(spoilt)")
        }
    }

    @Test func `a newer schema in the first line takes precedence over everything else`() {
        let sample = LineSample.full(.logOpened)
        #expect(Decoded(sample.setting(.schema, to: "2").text).outcome == "newer-schema")
        let newer = sample.setting(.schema, to: "9007199254740991").setting(.seq, to: "null")
        #expect(Decoded(newer.text).outcome == "newer-schema")
        #expect(Decoded(sample.setting(.schema, to: "0").text).outcome == "out-of-range")
        #expect(Decoded(sample.setting(.schema, to: "1").text).outcome == "event")
        // In other event types, `schema` is an unknown key.
        #expect(Decoded(noted("\"text\":\"a\",\"schema\":2")).outcome == "event unknown-key")
    }

    @Test func `each diagnostic has a level and a unique name`() {
        #expect(Set(DiagnosticCode.allCases.map(\.rawValue)).count == 19)
        #expect(DiagnosticCode.allCases.filter { $0.level == .error }.count == 13)
        #expect(DiagnosticCode.allCases.filter { $0.level == .warning } == [.notOpened])
    }
}
