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
public struct LineWriter: Sendable {
    /// The bytes so far, other lines before them where they share an array.
    private(set) var bytes: [UInt8] = []
    /// Where the line begins.
    private var start = 0

    /// The canonical line of an event, without the end of line.
    ///
    /// Throws ``WritingProblem`` for what the format can't hold: a name of 0 or more than 255
    /// bytes, an integer out of range, a line of more than 65,536 bytes.
    public static func line(of event: Event<Written>) throws(WritingProblem) -> [UInt8] {
        var writer = LineWriter()
        try writer.writeLine(of: event)
        return writer.bytes
    }

    /// Appends the canonical line of an event and its end of line.
    ///
    /// Throws what ``line(of:)`` throws, and then appends nothing.
    public static func append(
        _ event: Event<Written>, to bytes: inout [UInt8]
    ) throws(WritingProblem) {
        var writer = LineWriter()
        writer.start = bytes.count
        swap(&writer.bytes, &bytes)
        defer { swap(&writer.bytes, &bytes) }
        do {
            try writer.writeLine(of: event)
        } catch {
            writer.bytes.removeSubrange(writer.start...)
            throw error
        }
        writer.bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func writeLine(of event: Event<Written>) throws(WritingProblem) {
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
        return writer.bytes
    }

    private mutating func writeStatement(_ event: Event<Written>) throws(WritingProblem) {
        writeKey(.type)
        writeString(event.type.wireName)
        try writeName(.id, event.id)
        try write(.source, event.source)
        try write(.account, event.account)
        try write(.device, event.device)
        try write(.environment, event.environment)
        try write(.signedAt, event.signedAt)
        try event.fact.write(to: &self)
    }

    private mutating func finish() throws(WritingProblem) {
        bytes.append(UInt8(ascii: "}"))
        let count = bytes.count - start
        guard count <= LineDecoder.maximumLineLength else {
            throw WritingProblem(
                .text, seen: "a line of \(count) bytes",
                .range(1...Int64(LineDecoder.maximumLineLength)))
        }
    }

    mutating func write<Role>(
        _ key: Key, _ identifier: Identifier<Role, Written>?
    ) throws(WritingProblem) {
        try writeName(key, identifier?.name)
    }

    private mutating func writeName(_ key: Key, _ name: String?) throws(WritingProblem) {
        guard var name else { return }
        let isPlain = name.withUTF8 { NameCheck.isPlain(UnsafeRawBufferPointer($0)) }
        guard (1...NameCheck.maximumLength).contains(name.utf8.count) else {
            throw WritingProblem(key, seen: "\(name.utf8.count) bytes", .nameLength)
        }
        guard isPlain else { throw WritingProblem(key, seen: name, .nameCharacters) }
        writeKey(key)
        writeString(name)
    }

    mutating func write(_ key: Key, _ text: String?) throws(WritingProblem) {
        guard let text else { return }
        guard text.utf8.count <= NameCheck.maximumTextLength else {
            throw WritingProblem(key, seen: "\(text.utf8.count) bytes", .textLength)
        }
        writeKey(key)
        writeString(text)
    }

    mutating func write(_ key: Key, _ time: Timestamp?) throws(WritingProblem) {
        guard let time else { return }
        guard time.isWritable else {
            throw WritingProblem(key, seen: "\(time.milliseconds) ms since 1970", .time)
        }
        writeKey(key)
        bytes.append(UInt8(ascii: "\""))
        time.append(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
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
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    mutating func write(_ key: Key, _ currency: Currency?) throws(WritingProblem) {
        guard let currency else { return }
        writeKey(key)
        writeString(currency.code)
    }

    mutating func write(_ key: Key, _ word: (some ClosedList)?) throws(WritingProblem) {
        guard let word else { return }
        writeKey(key)
        writeString(word.rawValue)
    }

    private mutating func writeKey(_ key: Key) {
        bytes.append(bytes.count == start ? UInt8(ascii: "{") : UInt8(ascii: ","))
        bytes.append(contentsOf: key.quotedName)
    }

    private mutating func writeNumber(_ value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let first = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[first...].reverse()
    }

    private mutating func writeString(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        let isWritten = text.withUTF8 { utf8 in
            guard LineWriter.needsNoEscape(UnsafeRawBufferPointer(utf8)) else { return false }
            bytes.append(contentsOf: utf8)
            return true
        }
        if !isWritten {
            for scalar in text.unicodeScalars { writeScalar(scalar) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether the bytes are plain ASCII that is written as it is; without a branch a byte.
    private static func needsNoEscape(_ utf8: UnsafeRawBufferPointer) -> Bool {
        var isUnusual = false
        for byte in utf8 {
            let isMarked = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            isUnusual = isUnusual || byte &- 0x20 >= 0x5F || isMarked
        }
        return !isUnusual
    }

    private mutating func writeScalar(_ scalar: Unicode.Scalar) {
        if scalar == "\"" || scalar == "\\" {
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        } else if EscapedText.isUnsafe(scalar) {
            bytes.append(UInt8(ascii: "\\"))
            if let short = LineWriter.shortEscapes[scalar] {
                bytes.append(short)
            } else {
                bytes.append(UInt8(ascii: "u"))
                bytes.append(
                    contentsOf: EscapedText.hex(UInt16(truncatingIfNeeded: scalar.value)).utf8)
            }
        } else {
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    private static let shortEscapes: [Unicode.Scalar: UInt8] = [
        "\u{8}": UInt8(ascii: "b"), "\u{9}": UInt8(ascii: "t"), "\u{A}": UInt8(ascii: "n"),
        "\u{C}": UInt8(ascii: "f"), "\u{D}": UInt8(ascii: "r"),
    ]
}
