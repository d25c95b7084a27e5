import PurchaseEvents

/// A place in an imported file: the line and the byte within the line, both counted from 1.
struct FilePlace: Hashable, Sendable {
    var line = 1
    var byte = 1

    func advanced(over bytes: ArraySlice<UInt8>) -> FilePlace {
        let newline = UInt8(ascii: "\n")
        guard let end = bytes.lastIndex(of: newline) else {
            return FilePlace(line: line, byte: byte + bytes.count)
        }
        let lines = bytes.count { $0 == newline }
        return FilePlace(line: line + lines, byte: bytes.endIndex - end)
    }
}

/// A part of a file that is read on its own, with all its bytes in memory.
struct RawRecord: Sendable {
    enum Form: Sendable {
        /// A JSON value; an array may hold several documents.
        case json
        /// A text in which a document stands, such as a JWS or a cell of a table.
        case text
        case base64Receipt
        /// A receipt as DER or BER.
        case receipt
    }

    var form: Form
    var bytes: [UInt8]
    var place: FilePlace
}

/// A part of a file, in file order.
enum FilePart {
    case record(RawRecord)
    /// Bytes that can't be read: what was expected, where, and the skipped lines.
    case problem(message: String, at: FilePlace, lines: ClosedRange<Int>)
    /// A row of a table that can't be read, and its line.
    case badRow(String, line: Int)
    /// A value above the size limit, and the last skipped line.
    case tooLarge(at: FilePlace, lastLine: Int)
}
