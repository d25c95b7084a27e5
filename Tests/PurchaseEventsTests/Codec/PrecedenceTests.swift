import Testing

@testable import PurchaseEvents

@Suite struct PrecedenceTests {
    private let long = String(repeating: " ", count: 65_537)

    @Test func `a line that is too long is not looked at`() {
        #expect(Decoded(Array(long.utf8) + [0xFF]).outcome == "line-too-long")
        #expect(Decoded(long + "{").outcome == "line-too-long")
    }

    @Test func `bytes come before syntax, syntax before what it holds`() {
        #expect(Decoded(Array("{,".utf8) + [0xFF]).outcome == "not-utf8")
        #expect(Decoded(#"{"a":1,"a":1,"#).outcome == "not-json")
        #expect(Decoded(#"{"a":1,"a":"\ud800"}"#).outcome == "not-utf8")
        #expect(Decoded(#"[{"a":1,"a":1}]"#).outcome == "not-an-object")
        #expect(Decoded(#"{"type":"nonesuch","type":1}"#).outcome == "duplicate-key")
    }

    @Test func `the type comes before its keys`() {
        #expect(Decoded(#"{"type":"nonesuch","seq":"a"}"#).outcome == "unknown-type")
        #expect(Decoded(#"{"type":1,"seq":"a"}"#).outcome == "wrong-kind")
        #expect(Decoded(#"{"seq":"a","at":1}"#).diagnostic?.code == .missingKey)
        #expect(Decoded(#"{"seq":"a","at":1}"#).diagnostic?.message.contains("`type`") == true)
    }

    /// Each key is spoilt with all the keys behind it: the first is told.
    @Test(arguments: EventType.allCases)
    func `keys are told in the canonical order`(_ type: EventType) {
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

    @Test func `a log of a newer schema is told by its first line, whatever else it holds`() {
        let sample = LineSample.full(.logOpened)
        #expect(Decoded(sample.setting(.schema, to: "2").text).outcome == "newer-schema")
        let newer = sample.setting(.schema, to: "9007199254740991").setting(.seq, to: "null")
        #expect(Decoded(newer.text).outcome == "newer-schema")
        #expect(Decoded(sample.setting(.schema, to: "0").text).outcome == "out-of-range")
        #expect(Decoded(sample.setting(.schema, to: "1").text).outcome == "event")
        // Of other types it is an unknown key.
        #expect(Decoded(noted("\"text\":\"a\",\"schema\":2")).outcome == "event unknown-key")
    }

    @Test func `each diagnostic has a level and a name of its own`() {
        #expect(Set(DiagnosticCode.allCases.map(\.rawValue)).count == 19)
        #expect(DiagnosticCode.allCases.filter { $0.level == .error }.count == 13)
        #expect(DiagnosticCode.allCases.filter { $0.level == .warning } == [.notOpened])
    }
}
