import PurchaseEvents

/// Rows as JSON lines in memory.
///
/// Keys are in order, without spaces, and texts are escaped like the log's own lines (event-log.md,
/// 1), so that output cannot control a terminal.
package struct RowLines: ~Copyable, RowWriter {
    private var lines = LineBuffer()
    /// The fields that start each line, after its brace.
    private var heading: [UInt8]
    private var isFirst = true

    /// Creates an empty buffer.
    ///
    /// - Parameter heading: Keys and texts to write before those of each row.
    package init(heading: [(key: StaticString, text: String)] = []) {
        self.heading = []
        for (key, text) in heading { write(key, text) }
        self.heading = Array(lines.written)
        lines.removeAll()
    }

    /// Whether there are no lines.
    package var isEmpty: Bool { lines.written.isEmpty }

    /// The bytes of the lines; valid until the next mutation.
    package var written: UnsafeBufferPointer<UInt8> { lines.written }

    /// The lines, each with its line ending.
    package var text: String { String(decoding: lines.written, as: UTF8.self) }

    /// Appends a row as a line.
    package mutating func append(_ row: some ProjectionRow) {
        lines.append(UInt8(ascii: "{"))
        heading.withUnsafeBufferPointer { lines.append(contentsOf: $0) }
        isFirst = heading.isEmpty
        row.write(to: &self)
        lines.append(UInt8(ascii: "}"))
        lines.append(UInt8(ascii: "\n"))
    }

    /// Writes a text.
    package mutating func write(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        write(key)
        lines.append(quoted: text)
    }

    /// Writes an integer.
    package mutating func write(_ key: StaticString, _ number: Int64?) {
        guard let number else { return }
        write(key)
        lines.append(number: number)
    }

    /// Writes a Boolean.
    package mutating func write(_ key: StaticString, _ flag: Bool?) {
        guard let flag else { return }
        write(key)
        lines.append(flag ? "true" : "false")
    }

    /// Writes a time.
    package mutating func write(_ key: StaticString, _ time: Timestamp?) {
        guard let time else { return }
        write(key)
        lines.append(time)
    }

    /// Writes a list of texts.
    package mutating func write(_ key: StaticString, _ texts: [String]) {
        write(key)
        lines.append(texts, between: "[", "]") { text, lines in lines.append(quoted: text) }
    }

    /// Writes amounts as an object keyed by currency.
    package mutating func write(_ key: StaticString, _ amounts: [AccountRow.Amount]) {
        write(key)
        lines.append(amounts, between: "{", "}") { amount, lines in
            lines.append(quoted: amount.currency)
            lines.append(UInt8(ascii: ":"))
            lines.append(number: amount.thousandths)
        }
    }

    /// Writes an object; `body` writes its fields.
    package mutating func write(_ key: StaticString, _ body: (inout RowLines) -> Void) {
        write(key)
        lines.append(UInt8(ascii: "{"))
        isFirst = true
        body(&self)
        isFirst = false
        lines.append(UInt8(ascii: "}"))
    }

    /// Writes a list of objects; `body` writes each object's fields.
    package mutating func write<Element>(
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

    /// Writes a key, after a comma if needed.
    @inline(__always)
    private mutating func write(_ key: StaticString) {
        lines.append(key: key, isFirst: isFirst)
        isFirst = false
    }
}
