import PurchaseEvents
import PurchaseProjections

/// Prints rows as text.
///
/// On a terminal, the rows are a table, or one block each if the table would be too wide or if a
/// cell holds a long list. In a pipe, each row is one line, with tabs between its cells.
struct TableText {
    /// The width of the terminal in columns; `nil` in a pipe.
    let width: Int?
    let style: Style

    init(_ session: ToolSession) {
        width = session.host.isTerminal(.output) ? session.host.columns ?? 80 : nil
        style = session.style
    }

    func lines(_ rows: [[RowField]]) -> [String] {
        let keys = TableText.keys(of: rows)
        func cells(of row: [RowField]) -> [String] { keys.map { cell($0, of: row) } }
        guard let width else {
            let lines = rows.map { cells(of: $0).joined(separator: "\t") }
            return [keys.joined(separator: "\t")] + lines
        }
        let cells = rows.map(cells)
        let widths = keys.indices.map { column in
            ([keys] + cells).map { TextFormat.columns(of: $0[column]) }.max() ?? 0
        }
        let hasLists = rows.joined().contains { TableText.isLong($0.value) }
        guard !hasLists, widths.reduce(0, +) + 2 * (keys.count - 1) <= width else {
            return blocks(rows)
        }
        let isNumber = keys.map { key in
            rows.joined().allSatisfy { $0.key != key || TableText.isNumber($0.value) }
        }
        func line(_ cells: [String], _ paint: (String) -> String) -> String {
            var texts = cells.indices.map { column in
                let gap = TextFormat.spaces(widths[column] - TextFormat.columns(of: cells[column]))
                return isNumber[column] ? gap + cells[column] : cells[column] + gap
            }
            while texts.last?.allSatisfy({ $0 == " " }) ?? false { texts.removeLast() }
            return paint(texts.joined(separator: "  "))
        }
        return [line(keys, style.strong)] + cells.map { line($0, { $0 }) }
    }

    /// The cell of a key, empty if the row lacks it. Looks for the key: a row may have its keys in
    /// another order than the table, where an earlier row lacks one of them.
    private func cell(_ key: String, of row: [RowField]) -> String {
        row.first { $0.key == key }.map { cell($0) } ?? ""
    }

    /// One block for each row: one line for each key and for each element of a list.
    private func blocks(_ rows: [[RowField]]) -> [String] {
        var lines: [String] = []
        let width = rows.joined().map { $0.key.count }.max() ?? 0
        for (index, row) in rows.enumerated() {
            if index > 0 { lines.append("") }
            for field in row {
                for (index, text) in elements(field).enumerated() {
                    let key = TextFormat.padded(index == 0 ? field.key : "", width)
                    lines.append("\(style.strong(key))  \(text)")
                }
            }
        }
        return lines
    }

    /// The keys of all rows, each placed after the keys that precede it in any row.
    static func keys(of rows: [[RowField]]) -> [String] {
        var keys: [String] = []
        for row in rows {
            var place = 0
            for field in row {
                if let known = keys.firstIndex(of: field.key) {
                    place = max(place, known + 1)
                } else {
                    keys.insert(field.key, at: place)
                    place += 1
                }
            }
        }
        return keys
    }

    private static func isLong(_ value: RowValue) -> Bool {
        switch value {
        case .list(let values):
            values.contains { if case .object = $0 { true } else { false } } || values.count > 3
        case .text, .integer, .flag, .time, .object: false
        }
    }

    private static func isNumber(_ value: RowValue) -> Bool {
        if case .integer = value { true } else { false }
    }

    private func elements(_ field: RowField) -> [String] {
        guard case .list(let values) = field.value else { return [cell(field)] }
        return values.isEmpty ? ["-"] : values.map { text($0) }
    }

    private func cell(_ field: RowField) -> String {
        if field.key == "spent" || field.key == "refunded", case .object(let fields) = field.value {
            return fields.map { currency in
                guard case .integer(let amount) = currency.value else {
                    return text(currency.value)
                }
                return "\(TextFormat.amount(amount)) \(currency.key.escaped)"
            }.joined(separator: ", ")
        }
        return text(field.value)
    }

    private func text(_ value: RowValue) -> String {
        switch value {
        case .text(let text): text.escaped
        case .integer(let integer): String(integer)
        case .flag(let flag): width == nil ? String(flag) : flag ? "yes" : "no"
        case .time(let time): instant(time)
        case .list(let values): values.map { text($0) }.joined(separator: "; ")
        case .object(let fields): object(fields)
        }
    }

    /// A time as text: in a pipe, as in the log; on a terminal, shorter, and midnight as the day.
    private func instant(_ time: Timestamp) -> String {
        width == nil ? time.text : TextFormat.dayOrTime(time)
    }

    /// An object on one line; `from` and `until` are printed as a span of time.
    private func object(_ fields: [RowField]) -> String {
        var words: [String] = []
        for field in fields {
            switch (field.key, field.value) {
            case ("from", .time(let time)): words.append("from \(instant(time))")
            case ("until", .time(let time)): words.append("until \(instant(time))")
            case ("product", let value), ("ended", let value): words.append(text(value))
            case (let key, let value): words.append("\(key.escaped) \(text(value))")
            }
        }
        return words.joined(separator: " ")
    }
}
