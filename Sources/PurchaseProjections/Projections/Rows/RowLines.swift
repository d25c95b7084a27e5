import PurchaseEvents

/// Rows as lines of JSON, in memory: keys in their order, no spaces, escaped as the format's own
/// lines are (event-log.md, 1), so that what is printed can't drive a terminal.
public struct RowLines: ~Copyable, RowWriter {
    private var lines = LineBuffer()
    /// What each line begins with, behind its brace.
    private var heading: [UInt8]
    private var isFirst = true

    /// No lines yet.
    ///
    /// - Parameter heading: the keys and texts that stand before those of each row.
    public init(heading: [(key: StaticString, text: String)] = []) {
        self.heading = []
        for (key, text) in heading { write(key, text) }
        self.heading = Array(lines.written)
        lines.removeAll()
    }

    /// The bytes of the lines, valid as long as these.
    package var written: UnsafeBufferPointer<UInt8> { lines.written }

    /// The lines, each with its end.
    public var text: String { String(decoding: lines.written, as: UTF8.self) }

    /// Appends a row as a line.
    public mutating func append(_ row: some ProjectionRow) {
        lines.append(UInt8(ascii: "{"))
        heading.withUnsafeBufferPointer { lines.append(contentsOf: $0) }
        isFirst = heading.isEmpty
        row.write(to: &self)
        lines.append(UInt8(ascii: "}"))
        lines.append(UInt8(ascii: "\n"))
    }

    /// Takes in a text.
    public mutating func write(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        write(key)
        lines.append(quoted: text)
    }

    /// Takes in an integer.
    public mutating func write(_ key: StaticString, _ number: Int64?) {
        guard let number else { return }
        write(key)
        lines.append(number: number)
    }

    /// Takes in a flag.
    public mutating func write(_ key: StaticString, _ flag: Bool?) {
        guard let flag else { return }
        write(key)
        lines.append(flag ? "true" : "false")
    }

    /// Takes in a time.
    public mutating func write(_ key: StaticString, _ time: Timestamp?) {
        guard let time else { return }
        write(key)
        lines.append(time)
    }

    /// Takes in a list of texts.
    public mutating func write(_ key: StaticString, _ texts: [String]) {
        write(key)
        lines.append(texts, between: "[", "]") { text, lines in lines.append(quoted: text) }
    }

    /// Takes in amounts as an object, their currencies its keys.
    public mutating func write(_ key: StaticString, _ amounts: [AccountRow.Amount]) {
        write(key)
        lines.append(amounts, between: "{", "}") { amount, lines in
            lines.append(quoted: amount.currency)
            lines.append(UInt8(ascii: ":"))
            lines.append(number: amount.thousandths)
        }
    }

    /// Takes in a list of objects, each of them written by `body`.
    public mutating func write<Element>(
        _ key: StaticString, _ elements: [Element], _ body: (Element, inout RowLines) -> Void
    ) {
        write(key)
        lines.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { lines.append(UInt8(ascii: ",")) }
            lines.append(UInt8(ascii: "{"))
            isFirst = true
            body(element, &self)
            lines.append(UInt8(ascii: "}"))
        }
        isFirst = false
        lines.append(UInt8(ascii: "]"))
    }

    /// Writes a key, and what parts it from the value before.
    @inline(__always)
    private mutating func write(_ key: StaticString) {
        lines.append(key: key, isFirst: isFirst)
        isFirst = false
    }
}
