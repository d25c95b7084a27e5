import PurchaseEvents

/// Turns a cell into the value of a key, as written in a line.
enum CellValue {
    /// Appends the value of a key to a line, or returns a problem. The decoder, which reads the
    /// line later, checks the lengths of names and the form of currencies.
    static func append(
        _ cell: UnsafeRawBufferPointer, of key: Key, _ kind: FieldKind, _ forms: RowForms,
        to line: inout LineBuffer
    ) -> String? {
        switch kind {
        case .name(.account):
            guard AccountText.isUUID(cell) else { return append(text: cell, of: key, to: &line) }
            line.append(quoted: AccountText.written(text(cell)))
            return nil
        case .name, .id, .text: return append(text: cell, of: key, to: &line)
        case .currency: return append(text: cell, of: key, to: &line)
        case .time:
            guard let time = forms.times.time(cell) else { return forms.times.problem(cell) }
            line.append(time)
            return nil
        case .flag:
            guard let flag = flags[text(cell).lowercased()] else {
                return "expected true or false, seen `\(EscapedText.excerpt(cell))`"
            }
            line.append(flag ? "true" : "false")
            return nil
        case .integer(let range) where RowForms.isAmount(key):
            guard let amount = forms.amount(text(cell)), range.contains(amount) else {
                return "expected an amount such as 4.99, seen `\(EscapedText.excerpt(cell))`"
            }
            line.append(number: amount)
            return nil
        case .integer(let range):
            guard let number = Int64(text(cell)), range.contains(number) else {
                return "expected a whole number from \(range.lowerBound) to \(range.upperBound), "
                    + "seen `\(EscapedText.excerpt(cell))`"
            }
            line.append(number: number)
            return nil
        case .word(let words):
            let seen = text(cell)
            guard let word = words.contains(seen) ? seen : RowWords.word(seen, of: key) else {
                return "expected one of \(words.joined(separator: ", ")), seen "
                    + "`\(EscapedText.excerpt(cell))`"
            }
            line.append(quoted: word)
            return nil
        }
    }

    private static let flags = [
        "true": true, "t": true, "yes": true, "1": true,
        "false": false, "f": false, "no": false, "0": false,
    ]

    private static func text(_ cell: UnsafeRawBufferPointer) -> String {
        String(decoding: cell, as: UTF8.self)
    }

    /// Appends a text in quotes; returns a problem for bytes that aren't UTF-8.
    private static func append(
        text cell: UnsafeRawBufferPointer, of key: Key, to line: inout LineBuffer
    ) -> String? {
        if key != .error, isPlain(cell) {
            line.append(UInt8(ascii: "\""))
            line.append(contentsOf: cell.assumingMemoryBound(to: UInt8.self))
            line.append(UInt8(ascii: "\""))
            return nil
        }
        guard let text = String(validating: cell, as: UTF8.self) else {
            return "expected UTF-8, seen `\(EscapedText.excerpt(cell))`"
        }
        line.append(quoted: key == .error ? RowWords.word(text, of: key) ?? text : text)
        return nil
    }

    /// Whether a text is ASCII that needs no escapes in a line.
    private static func isPlain(_ cell: UnsafeRawBufferPointer) -> Bool {
        for byte in cell {
            if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"")
                || byte == UInt8(ascii: "\\")
            {
                return false
            }
        }
        return true
    }
}
