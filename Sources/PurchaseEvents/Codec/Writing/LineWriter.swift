/// The reason why the format can't hold an event: the key, what was seen and what was expected.
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

/// Writes an event as its canonical line: keys in order, no spaces, and only the required escapes
/// (event-log.md, 1).
public struct LineWriter: ~Copyable {
    private var line = LineBuffer()

    /// Returns the canonical line of an event, without its newline.
    ///
    /// Throws ``WritingProblem`` for an event that the format can't hold: for example, a name of 0
    /// or more than 255 bytes, an integer out of range, or a line of more than 65,536 bytes.
    public static func line(of event: Event<Written>) throws(WritingProblem) -> [UInt8] {
        var writer = LineWriter()
        try writer.writeLine(of: event, event.seq)
        return Array(writer.line.written)
    }

    /// Returns the canonical line of an event as the next line of a chained log, without its
    /// newline.
    ///
    /// Throws what ``line(of:)`` throws, and then leaves the chain unchanged.
    public static func line(
        of event: Event<Written>, in chain: inout Chain
    ) throws(WritingProblem) -> [UInt8] {
        var line = try line(of: event)
        try chain.seal(&line)
        return line
    }

    /// Appends the canonical line of an event and a newline.
    ///
    /// Throws what ``line(of:)`` throws, and then appends nothing.
    public static func append(
        _ event: Event<Written>, to bytes: inout [UInt8]
    ) throws(WritingProblem) { try appendLine(of: event, to: &bytes) }

    /// Appends the canonical line of an event of any spelling, and a newline.
    package static func appendLine<S: WritableSpelling>(
        of event: Event<S>, to bytes: inout [UInt8]
    ) throws(WritingProblem) {
        var writer = LineWriter()
        try writer.writeLine(of: event, event.seq)
        writer.line.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: writer.line.written)
    }

    /// The bytes written so far.
    var written: UnsafeBufferPointer<UInt8> { line.written }

    /// Replaces the bytes written so far with the canonical line of a draft at a position, without
    /// its newline.
    mutating func rewrite(_ draft: Draft, _ seq: Int64) throws(WritingProblem) {
        line.removeAll()
        try writeLine(of: draft.event, seq)
    }

    private mutating func writeLine<S: WritableSpelling>(
        of event: Event<S>, _ seq: Int64
    ) throws(WritingProblem) {
        try write(.seq, seq)
        try write(.at, event.at)
        try writeStatement(event)
        try finish()
    }

    /// Returns the canonical bytes of an event's statement: all keys but `seq`, `at` and `chain`.
    package static func statement(of event: Event<Written>) throws(WritingProblem) -> [UInt8] {
        var writer = LineWriter()
        try writer.writeStatement(event)
        try writer.finish()
        return Array(writer.line.written)
    }

    private mutating func writeStatement<S: WritableSpelling>(
        _ event: Event<S>
    ) throws(WritingProblem) {
        writeKey(.type)
        line.append(quoted: event.type.wireName)
        try writeName(.id, event.id)
        try write(.source, event.source)
        try write(.account, event.account)
        try write(.device, event.device)
        try write(.environment, event.environment)
        try write(.signedAt, event.signedAt)
        try event.writeFact(to: &self)
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

    /// Writes a name of unusual length or characters; throws if the format can't hold the name.
    @inline(never)
    private mutating func writeUnusualName(
        _ key: Key, _ name: String
    ) throws(WritingProblem) {
        guard 1...NameCheck.maximumLength ~= name.utf8.count else {
            throw WritingProblem(key, seen: "\(name.utf8.count) bytes", .nameLength)
        }
        let isPlain = name.withLineBytes { NameCheck.isPlain(UnsafeRawBufferPointer($0)) }
        guard isPlain else { throw WritingProblem(key, seen: name, .nameCharacters) }
        line.append(quoted: name)
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
        line.append(quoted: text)
    }

    mutating func write<S: WritableSpelling>(
        _ key: Key, _ error: ErrorWord<S>?
    ) throws(WritingProblem) { try write(key, error?.text) }

    mutating func write(_ key: Key, _ time: Timestamp?) throws(WritingProblem) {
        guard let time else { return }
        guard time.isWritable else {
            throw WritingProblem(key, seen: "\(time.milliseconds) ms since 1970", .time)
        }
        writeKey(key)
        line.append(time)
    }

    mutating func write(_ key: Key, _ value: Int64?) throws(WritingProblem) {
        guard let value else { return }
        guard key.range.contains(value) else {
            throw WritingProblem(key, seen: "\(value)", .range(key.range))
        }
        writeKey(key)
        line.append(number: value)
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
        line.append(quoted: word.rawValue)
    }

    /// Writes a key, and then the text if it is plain ASCII with a length in `lengths`; returns
    /// whether the text was written.
    @inline(__always)
    private mutating func writeKey(
        _ key: Key, _ text: some LineText, _ lengths: ClosedRange<Int>
    ) -> Bool {
        writeKey(key)
        return text.withLineBytes { lengths.contains($0.count) && line.append(plain: $0) }
    }

    @inline(__always)
    private mutating func writeKey(_ key: Key) {
        let place = line.room(for: 1 + QuotedKeys.longest)
        place[0] = line.count == 0 ? UInt8(ascii: "{") : UInt8(ascii: ",")
        line.advance(by: 1 &+ QuotedKeys.shared.copy(key, to: place + 1))
    }
}
