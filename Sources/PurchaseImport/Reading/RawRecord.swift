import PurchaseEvents

/// A place in a file that is imported: the line, and the byte within it, both counted from 1.
struct FilePlace: Hashable, Sendable {
    var line = 1
    var byte = 1

    /// The place behind some bytes that begin here.
    func advanced(over bytes: some Sequence<UInt8>) -> FilePlace {
        var place = self
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                place.line += 1
                place.byte = 1
            } else {
                place.byte += 1
            }
        }
        return place
    }
}

/// A piece of a file that is read by itself, and whose bytes are in memory as a whole.
struct RawRecord: Sendable {
    /// How the piece is written.
    enum Form: Sendable {
        /// A JSON value; an array may be several documents.
        case json
        /// A compact JWS.
        case jws
        /// A receipt in base64.
        case base64Receipt
        /// A receipt as DER or BER.
        case receipt
    }

    var form: Form
    var bytes: [UInt8]
    var place: FilePlace
}

/// What a file holds, in its order.
enum FilePart {
    /// A piece that can be read.
    case record(RawRecord)
    /// Something that can't: what was expected and where, and the first and the last line that are
    /// left out for it.
    case problem(message: String, at: FilePlace, lines: ClosedRange<Int>)
    /// A value that takes more memory than one may, and the last line that is left out for it.
    case tooLarge(at: FilePlace, lastLine: Int)
}
