import Testing

@testable import PurchaseEvents

struct EscapeTests {
    /// The characters that event-log.md, section 1, requires as `\u` escapes, besides C0.
    private static let steering: Set<UInt32> = Set(0x7F...0x9F).union([0x061C, 0x200E, 0x200F])
        .union([0x2028, 0x2029]).union(0x202A...0x202E).union(0x2066...0x2069)
    private static let short: [UInt32: String] = [
        0x08: #"\b"#, 0x09: #"\t"#, 0x0A: #"\n"#, 0x0C: #"\f"#, 0x0D: #"\r"#, 0x22: #"\""#,
        0x5C: #"\\"#,
    ]

    private func expected(_ scalar: Unicode.Scalar) -> String {
        if let short = EscapeTests.short[scalar.value] { return short }
        if scalar.value < 0x20 || EscapeTests.steering.contains(scalar.value) {
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return String(Character(scalar))
    }

    @Test func `exactly the characters that the format lists are escaped`() throws {
        var scalars = (0...0xFFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
        scalars += [0x10000, 0x1F600, 0xE0001, 0x1FFFE, 0x10FFFF].compactMap(Unicode.Scalar.init)
        for start in stride(from: 0, to: scalars.count, by: 1_000) {
            let chunk = scalars[start..<min(start + 1_000, scalars.count)]
            let text = String(String.UnicodeScalarView(chunk))
            let event = Event<Written>(
                seq: 1, at: Timestamp(milliseconds: 0), .logNoted(text: text))
            let line = try LineWriter.line(of: event)
            let written = chunk.map(expected).joined()
            let whole =
                "{\"seq\":1,\"at\":\"1970-01-01T00:00:00.000Z\",\"type\":\"log.noted\","
                + "\"text\":\"\(written)\"}"
            #expect(line.elementsEqual(whole.utf8), "from U+\(String(start, radix: 16))")
            guard case .logNoted(let read) = Decoded(line).event?.fact else {
                Issue.record("not read from \(start)")
                continue
            }
            #expect(read.utf8.elementsEqual(text.utf8))
        }
    }

    /// Each escaped value has as many unescaped bytes as possible.
    @Test func `a line of only escapes is read up to the maximum length`() {
        let head = "{\"seq\":1,\"at\":\"1970-01-01T00:00:00.000Z\",\"type\":\"log.noted\""
        var line = head + #","text":"\n","id":"\u0041""#
        var number = 0
        while line.utf8.count < LineDecoder.maximumLineLength - 40 {
            number += 1
            line += #","x"# + String(number, radix: 36) + #"":"\n""#
        }
        line += String(repeating: " ", count: LineDecoder.maximumLineLength - 1 - line.utf8.count)
        line += "}"
        #expect(line.utf8.count == LineDecoder.maximumLineLength)
        let event = Decoded(line).event
        #expect(event?.id == "A")
        #expect(event?.fact == .logNoted(text: "\n"))
    }

    @Test func `printed text can't control a terminal`() {
        for value in 0...0xFFFF as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isUnsafe = value < 0x20 || EscapeTests.steering.contains(value)
            #expect(EscapedText.isUnsafe(scalar) == isUnsafe, "\(value)")
        }
        #expect(EscapedText.escape("a\u{1B}[2J\u{202E}\n") == #"a\u001b[2J\u202e\u000a"#)
        #expect(EscapedText.escape("\"\\", quoting: true) == #"\"\\"#)
        #expect(EscapedText.escape("\"\\") == #""\"#)
    }

    @Test func `an excerpt is short and safe for any bytes`() {
        let excerpt = { (bytes: [UInt8]) in
            bytes.withUnsafeBytes { EscapedText.excerpt($0, limit: 4) }
        }
        #expect(excerpt([]) == "")
        #expect(excerpt(Array("abcd".utf8)) == "abcd")
        #expect(excerpt(Array("abcde".utf8)) == "abcd…")
        #expect(excerpt(Array("abcé".utf8)) == "abc…")
        #expect(excerpt(Array("ab😀".utf8)) == "ab…")
        #expect(excerpt(Array("éééé".utf8)) == "éé…")
        #expect(excerpt(Array("😀😀".utf8)) == "😀…")
        #expect(excerpt([0x61, 0x62, 0xFF, 0x62, 0x80]) == "ab\u{FFFD}b…")
        #expect(excerpt([0xFF, 0x1B]) == "\u{FFFD}\\u001b")
    }

    @Test(arguments: ["\u{1B}]0;owned\u{7}", "\u{202E}", "\u{85}", "\u{2028}"])
    func `no diagnostic or note contains characters that control a terminal`(_ text: String) {
        let lines = [
            noted("\"text\":1,\"\(text)\":1"), noted("\"text\":\"a\",\"\(text)\":1"),
            noted("\"\(text)\":1,\"\(text)\":1"), noted("\"text\":\"a\",\(text)"), text,
            noted("\"text\":\"a\",\"environment\":\"\(text)\""),
        ]
        for line in lines {
            let decoded = Decoded(line)
            for said in decoded.notes + [decoded.diagnostic].compactMap({ $0 }) {
                #expect(!said.message.unicodeScalars.contains(where: EscapedText.isUnsafe))
            }
        }
    }
}
