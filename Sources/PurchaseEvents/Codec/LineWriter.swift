/// An event that the format can't hold: the key at fault, what was seen and what is expected.
public struct WritingProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The key whose value can't be written.
    public let key: Key
    /// What was seen and what was expected.
    public let message: String

    init(_ key: Key, seen: String, _ expected: Expectation) {
        self.key = key
        message = "expected \(expected.words), seen \(EscapedText.escape(seen))"
    }

    /// The key and the message.
    public var description: String { "`\(key.wireName)`: \(message)" }
}

/// Writes one event as its canonical bytes: keys in order, no spaces, only the escapes that the
/// format wants (event-log.md, 1).
public struct LineWriter: ~Copyable {
    private var line = LineBuffer()

    /// The canonical line of an event, without the end of line.
    ///
    /// Throws ``WritingProblem`` for what the format can't hold: a name of 0 or more than 255
    /// bytes, an integer out of range, a line of more than 65,536 bytes.
    public static func line(of event: Event<Written>) throws(WritingProblem) -> [UInt8] {
        var writer = LineWriter()
        try writer.writeLine(of: event)
        return Array(writer.line.written)
    }

    /// The canonical line of an event as the next one of a chained log, without the end of line.
    ///
    /// Throws what ``line(of:)`` throws, and then leaves the chain as it was.
    public static func line(
        of event: Event<Written>, in chain: inout Chain
    ) throws(WritingProblem) -> [UInt8] {
        var line = try line(of: event)
        try chain.seal(&line)
        return line
    }

    /// Appends the canonical line of an event and its end of line.
    ///
    /// Throws what ``line(of:)`` throws, and then appends nothing.
    public static func append(
        _ event: Event<Written>, to bytes: inout [UInt8]
    ) throws(WritingProblem) { try appendLine(of: event, to: &bytes) }

    /// Appends the canonical line of an event of any spelling, and its end of line.
    @inline(__always)
    static func appendLine<S: WritableSpelling>(
        of event: Event<S>, to bytes: inout [UInt8]
    ) throws(WritingProblem) {
        var writer = LineWriter()
        try writer.writeLine(of: event)
        writer.line.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: writer.line.written)
    }

    private mutating func writeLine<S: WritableSpelling>(
        of event: Event<S>
    ) throws(WritingProblem) {
        try write(.seq, event.seq)
        try write(.at, event.at)
        try writeStatement(event)
        try finish()
    }

    /// The canonical bytes of what an event states: all keys but `seq`, `at` and `chain`.
    public static func statement(of event: Event<Written>) throws(WritingProblem) -> [UInt8] {
        var writer = LineWriter()
        try writer.writeStatement(event)
        try writer.finish()
        return Array(writer.line.written)
    }

    private mutating func writeStatement<S: WritableSpelling>(
        _ event: Event<S>
    ) throws(WritingProblem) {
        writeKey(.type)
        writeText(event.type.wireName)
        try writeName(.id, event.id)
        try write(.source, event.source)
        try write(.account, event.account)
        try write(.device, event.device)
        try write(.environment, event.environment)
        try write(.signedAt, event.signedAt)
        try event.fact.write(to: &self)
    }

    private mutating func finish() throws(WritingProblem) {
        line.append(UInt8(ascii: "}"))
        guard line.count <= LineDecoder.maximumLineLength else {
            throw WritingProblem(
                .text, seen: "a line of \(line.count) bytes",
                .range(1...Int64(LineDecoder.maximumLineLength)))
        }
    }

    @inline(__always)
    mutating func write<Role, S: WritableSpelling>(
        _ key: Key, _ identifier: Identifier<Role, S>?
    ) throws(WritingProblem) {
        guard let identifier else { return }
        try writeName(key, identifier.name)
    }

    @inline(__always)
    private mutating func writeName(
        _ key: Key, _ name: (some LineText)?
    ) throws(WritingProblem) {
        guard let name else { return }
        if !writeKey(key, name, 1...NameCheck.maximumLength) {
            try writeUnusualName(key, name.lineText)
        }
    }

    /// Writes a name that isn't printable ASCII, where the format can hold it.
    @inline(never)
    private mutating func writeUnusualName(
        _ key: Key, _ name: String
    ) throws(WritingProblem) {
        guard 1...NameCheck.maximumLength ~= name.utf8.count else {
            throw WritingProblem(key, seen: "\(name.utf8.count) bytes", .nameLength)
        }
        let isPlain = name.withLineBytes { NameCheck.isPlain(UnsafeRawBufferPointer($0)) }
        guard isPlain else { throw WritingProblem(key, seen: name, .nameCharacters) }
        writeText(name)
    }

    @inline(__always)
    mutating func write(_ key: Key, _ text: (some LineText)?) throws(WritingProblem) {
        guard let text else { return }
        if !writeKey(key, text, 0...NameCheck.maximumTextLength) {
            try writeUnusualText(key, text.lineText)
        }
    }

    @inline(never)
    private mutating func writeUnusualText(
        _ key: Key, _ text: String
    ) throws(WritingProblem) {
        guard text.utf8.count <= NameCheck.maximumTextLength else {
            throw WritingProblem(key, seen: "\(text.utf8.count) bytes", .textLength)
        }
        writeText(text)
    }

    mutating func write(_ key: Key, _ time: Timestamp?) throws(WritingProblem) {
        guard let time else { return }
        guard time.isWritable else {
            throw WritingProblem(key, seen: "\(time.milliseconds) ms since 1970", .time)
        }
        writeKey(key)
        let place = line.room(for: 26)
        place[0] = UInt8(ascii: "\"")
        time.write(to: place + 1)
        place[25] = UInt8(ascii: "\"")
        line.advance(by: 26)
    }

    mutating func write(_ key: Key, _ value: Int64?) throws(WritingProblem) {
        guard let value else { return }
        guard key.range.contains(value) else {
            throw WritingProblem(key, seen: "\(value)", .range(key.range))
        }
        writeKey(key)
        writeNumber(value)
    }

    mutating func write(_ key: Key, _ flag: Bool?) throws(WritingProblem) {
        guard let flag else { return }
        writeKey(key)
        line.append(flag ? "true" : "false")
    }

    mutating func write(_ key: Key, _ currency: Currency?) throws(WritingProblem) {
        guard let currency else { return }
        writeKey(key)
        line.append(UInt8(ascii: "\""))
        for shift: UInt32 in [16, 8, 0] {
            line.append(UInt8(truncatingIfNeeded: currency.rawValue >> shift))
        }
        line.append(UInt8(ascii: "\""))
    }

    mutating func write(_ key: Key, _ word: (some ClosedList)?) throws(WritingProblem) {
        guard let word else { return }
        writeKey(key)
        writeText(word.rawValue)
    }

    /// Writes a key, and a text of so many bytes where it is written as it is; whether it is.
    @inline(__always)
    private mutating func writeKey(
        _ key: Key, _ text: some LineText, _ lengths: ClosedRange<Int>
    ) -> Bool {
        writeKey(key)
        return text.withLineBytes { lengths.contains($0.count) && writePlain($0) }
    }

    @inline(__always)
    private mutating func writeKey(_ key: Key) {
        let place = line.room(for: 1 + QuotedKeys.longest)
        place[0] = line.count == 0 ? UInt8(ascii: "{") : UInt8(ascii: ",")
        line.advance(by: 1 &+ QuotedKeys.shared.copy(key, to: place + 1))
    }

    private mutating func writeNumber(_ value: Int64) {
        if value < 0 { line.append(UInt8(ascii: "-")) }
        // No integer has more digits than these.
        let place = line.room(for: 20)
        var (first, rest) = (20, value.magnitude)
        repeat {
            first &-= 1
            let (tens, digit) = rest.quotientAndRemainder(dividingBy: 10)
            place[first] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
            rest = tens
        } while rest > 0
        place.update(from: place + first, count: 20 &- first)
        line.advance(by: 20 &- first)
    }

    /// Writes a text between quotes with the escapes that the format wants.
    private mutating func writeText(_ text: String) {
        if text.withLineBytes({ writePlain($0) }) { return }
        line.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars { writeScalar(scalar) }
        line.append(UInt8(ascii: "\""))
    }

    /// Writes bytes between quotes, where all of them are ASCII that is written as it is; else
    /// nothing.
    @inline(__always)
    private mutating func writePlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = text.count
        let place = line.room(for: count &+ 2)
        place[0] = UInt8(ascii: "\"")
        let target = UnsafeMutableRawPointer(place + 1)
        let source = UnsafeRawBufferPointer(text)
        var marks: UInt64 = 0
        var offset = 0
        while offset &+ 8 <= count {
            let word = source.word(at: offset)
            marks |= LineWriter.marks(word)
            target.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        if count >= 8, offset < count {
            // The last eight, of which the first were written already.
            let word = source.word(at: count &- 8)
            marks |= LineWriter.marks(word)
            target.storeBytes(of: word.littleEndian, toByteOffset: count &- 8, as: UInt64.self)
            offset = count
        }
        while offset < count {
            let byte = text[offset]
            marks |= LineWriter.marks(UInt64(byte) | 0x2020_2020_2020_2000)
            place[offset &+ 1] = byte
            offset &+= 1
        }
        guard marks == 0 else { return false }
        place[count &+ 1] = UInt8(ascii: "\"")
        line.advance(by: count &+ 2)
        return true
    }

    /// Nonzero where one of eight bytes is no printable ASCII, a quote or a backslash.
    @inline(__always)
    private static func marks(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22), backslash = word ^ (ones &* 0x5C)
        let found = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
        // Below 0x20 a byte borrows, from 0x7F on one more carries or the high bit is set.
        return (found | (word &- ones &* 0x20) | (word &+ ones) | word) & (ones &* 0x80)
    }

    private mutating func writeScalar(_ scalar: Unicode.Scalar) {
        if scalar == "\"" || scalar == "\\" {
            line.append(UInt8(ascii: "\\"))
            line.append(UInt8(truncatingIfNeeded: scalar.value))
        } else if EscapedText.isUnsafe(scalar) {
            line.append(UInt8(ascii: "\\"))
            if let short = LineWriter.shortEscapes[scalar] {
                line.append(short)
            } else {
                line.append(UInt8(ascii: "u"))
                line.append(EscapedText.hex(UInt16(truncatingIfNeeded: scalar.value)))
            }
        } else {
            line.append(String(scalar))
        }
    }

    private static let shortEscapes: [Unicode.Scalar: UInt8] = [
        "\u{8}": UInt8(ascii: "b"), "\u{9}": UInt8(ascii: "t"), "\u{A}": UInt8(ascii: "n"),
        "\u{C}": UInt8(ascii: "f"), "\u{D}": UInt8(ascii: "r"),
    ]
}
