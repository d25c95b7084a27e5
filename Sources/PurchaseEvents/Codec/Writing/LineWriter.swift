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
public enum LineWriter {
    /// Returns the canonical line of an event, without its newline.
    ///
    /// Throws ``WritingProblem`` for an event that the format can't hold: for example, a name of 0
    /// or more than 255 bytes, an integer out of range, or a line of more than 65,536 bytes.
    public static func line(of event: Event<Written>) throws(WritingProblem) -> [UInt8] {
        var members = MemberWriter()
        try members.writeLine(of: event, event.seq)
        return Array(members.written)
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
    ) throws(WritingProblem) {
        var members = MemberWriter()
        try members.writeLine(of: event, event.seq)
        bytes.append(contentsOf: members.written)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Returns the canonical bytes of an event's content: all keys but `seq`, `at` and `chain`.
    package static func content(of event: Event<Written>) throws(WritingProblem) -> [UInt8] {
        var members = MemberWriter()
        try members.writeLine(of: event, nil)
        return Array(members.written)
    }
}
