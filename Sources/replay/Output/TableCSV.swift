import PurchaseEvents
import PurchaseProjections

/// Rows as a table for spreadsheets (RFC 4180): a header line, then a line for each row.
enum TableCSV {
    /// The lines of the rows, which may lack keys; lists and objects are JSON, and control
    /// characters are escaped as in the log.
    static func text(of rows: [[RowField]]) -> String {
        let keys = TableText.keys(of: rows)
        let lines = rows.map { row in
            keys.map { key in row.first { $0.key == key }.map { cell($0.value) } ?? "" }
        }
        guard !lines.isEmpty else { return "" }
        return ([keys] + lines).map { $0.map(quoted).joined(separator: ",") + "\r\n" }.joined()
    }

    private static func cell(_ value: RowValue) -> String {
        switch value {
        case .text(let text): text.escaped
        case .integer(let integer): String(integer)
        case .flag(let flag): String(flag)
        case .time(let time): time.text
        case .list, .object: RowJSON.text(of: value)
        }
    }

    private static func quoted(_ cell: String) -> String {
        guard cell.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else {
            return cell
        }
        return "\"\(cell.replacing("\"", with: "\"\""))\""
    }
}
