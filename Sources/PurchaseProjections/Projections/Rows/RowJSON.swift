import PurchaseEvents

/// Writes rows as JSON: keys in order, no spaces, and escaped like the log's own lines
/// (event-log.md, 1), so that output cannot control a terminal.
public enum RowJSON {
    /// A JSON object on one line, without a line ending.
    public static func text(of fields: [RowField]) -> String { text(of: .object(fields)) }

    /// A JSON value on one line.
    public static func text(of value: RowValue) -> String {
        var line = LineBuffer()
        append(value, to: &line)
        return String(decoding: line.written, as: UTF8.self)
    }

    private static func append(_ fields: [RowField], to line: inout LineBuffer) {
        line.append(fields, between: "{", "}") { field, line in
            line.append(quoted: field.key)
            line.append(UInt8(ascii: ":"))
            append(field.value, to: &line)
        }
    }

    private static func append(_ value: RowValue, to line: inout LineBuffer) {
        switch value {
        case .text(let string): line.append(quoted: string)
        case .integer(let integer): line.append(number: integer)
        case .flag(let flag): line.append(flag ? "true" : "false")
        case .time(let time): line.append(time)
        case .list(let values): line.append(values, between: "[", "]") { append($0, to: &$1) }
        case .object(let fields): append(fields, to: &line)
        }
    }
}
