import Testing

@testable import PurchaseEvents

struct ChainTests {
    private static let zeros = [UInt8](repeating: 0, count: 32)

    private func noted(_ seq: Int64, _ text: String) -> Event<Written> {
        Event(
            seq: seq, at: Timestamp(milliseconds: 1_771_578_000_000),
            .logNoted(text: text)
        )
    }

    private func follow(_ chain: inout Chain, _ line: [UInt8]) -> ChainBreak? {
        line.withUnsafeBytes { chain.follow($0) }
    }

    @Test func `a chain value is the hash of the previous value and the line's bytes`() throws {
        var chain = Chain()
        let first = try LineWriter.line(of: noted(1, "one"), in: &chain)
        let content: [UInt8] = try LineWriter.line(of: noted(1, "one")).dropLast()
        let value: Digest = SHA256.hash(ChainTests.zeros + content)
        let chained: [UInt8] = content + Array(",\"chain\":\"\(value.hex)\"}".utf8)
        #expect(first == chained)
        #expect(chain == Chain(head: value, lines: 1))
        let second = try LineWriter.line(of: noted(2, "two"), in: &chain)
        let next = SHA256.hash(
            value.bytes + Array(try LineWriter.line(of: noted(2, "two")).dropLast()))
        #expect(second.suffix(66) == Array("\(next.hex)\"}".utf8))
        #expect(chain == Chain(head: next, lines: 2))
    }

    @Test func `a chained line is a canonical event`() throws {
        var chain = Chain()
        let event = noted(1, "one\u{202E} \" \\")
        let line = try LineWriter.line(of: event, in: &chain)
        let decoder = LineDecoder()
        let decoded = line.withUnsafeBytes { decoder.decodeWritten($0) }
        #expect(decoded == .event(event))
        #expect(decoder.notes.isEmpty)
        #expect(line.count == (try LineWriter.line(of: event)).count + Chain.growth)
    }

    @Test func `a chain accepts the lines that it sealed, and no others`() throws {
        var writing = Chain()
        let lines = try (1...3).map { try LineWriter.line(of: noted($0, "text"), in: &writing) }
        var chain = Chain()
        for line in lines { #expect(follow(&chain, line) == nil) }
        #expect(chain == writing)
        // The same line again, and an earlier line.
        guard case .otherValue(_, let seen) = follow(&chain, lines[2]) else {
            Issue.record("a line is taken twice")
            return
        }
        #expect(seen == writing.head)
        #expect(follow(&chain, lines[0]) != nil)
        #expect(chain == writing, "a line that is refused changes nothing")
    }

    @Test func `a line that doesn't end in a chain value has none`() throws {
        var writing = Chain()
        let line = String(
            decoding: try LineWriter.line(of: noted(1, "t"), in: &writing), as: UTF8.self)
        let end = "\"}"
        let upper: String = line.dropLast(3).uppercased()
        let others: [String] = [
            "", "{}", String(line.dropLast()), "\(line) ", "\(line)\r", "\(line)}",
            line.replacing("\",\"chain\"", with: "\", \"chain\""),
            line.replacing("\"chain\":", with: "\"chain\" :"),
            line.replacing("chain", with: "\\u0063hain"),
            "\(line.dropLast(2)) \(end)",
            "\(line.dropLast(3))G\(end)", "\(upper)A\(end)",
        ]
        for other in others {
            var chain = Chain()
            #expect(follow(&chain, Array(other.utf8)) == .noValue, "\(other)")
            #expect(chain == Chain())
        }
    }

    @Test func `a line without room for its chain value is refused`() throws {
        let room = LineDecoder.maximumLineLength - Chain.growth
        var chain = Chain()
        var longest = [UInt8](repeating: UInt8(ascii: " "), count: room - 1) + [UInt8(ascii: "}")]
        try chain.seal(&longest)
        #expect(longest.count == LineDecoder.maximumLineLength)
        let before = chain
        var longer = [UInt8](repeating: UInt8(ascii: " "), count: room) + [UInt8(ascii: "}")]
        #expect(throws: WritingProblem.self) { try chain.seal(&longer) }
        #expect(longer.count == room + 1)
        #expect(chain == before)
    }

    @Test func `a chain break says what was expected and what was seen`() {
        #expect("\(ChainBreak.noValue)" == #"expected `"chain":"…"}` at its end, seen none"#)
        let text = "\(ChainBreak.otherValue(expected: .zero, seen: SHA256.hash([])))"
        #expect(text.contains(Digest.zero.hex))
        #expect(text.hasSuffix(SHA256.hash([]).hex))
    }
}
