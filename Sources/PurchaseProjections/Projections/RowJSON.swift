import PurchaseEvents

/// Writes rows as JSON: keys in their order, no spaces, escaped as the format's own lines are
/// (event-log.md, 1), so that what is printed can't drive a terminal.
public enum RowJSON {
    /// An object of the fields, on one line, without its end.
    public static func text(of fields: [RowField]) -> String { text(of: .object(fields)) }

    /// A value on one line.
    public static func text(of value: RowValue) -> String {
        var line = LineBuffer()
        append(value, to: &line)
        return String(decoding: line.written, as: UTF8.self)
    }

    /// Appends an object of the fields.
    private static func append(_ fields: [RowField], to line: inout LineBuffer) {
        line.append(UInt8(ascii: "{"))
        for (index, field) in fields.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            line.append(quoted: field.key)
            line.append(UInt8(ascii: ":"))
            append(field.value, to: &line)
        }
        line.append(UInt8(ascii: "}"))
    }

    private static func append(_ value: RowValue, to line: inout LineBuffer) {
        switch value {
        case .text(let string): line.append(quoted: string)
        case .integer(let integer): line.append(number: integer)
        case .flag(let flag): line.append(flag ? "true" : "false")
        case .time(let time): line.append(time)
        case .list(let values):
            line.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { line.append(UInt8(ascii: ",")) }
                append(value, to: &line)
            }
            line.append(UInt8(ascii: "]"))
        case .object(let fields): append(fields, to: &line)
        }
    }
}
