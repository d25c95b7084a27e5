import PurchaseEvents

/// A place in a file that is imported.
public struct ImportPlace: Hashable, Sendable {
    /// The file as its ``ImportFile/name`` says.
    public var file: String
    /// The line, counted from 1.
    public var line: Int
    /// The byte within the line, counted from 1.
    public var byte: Int
    /// The way to it from the document's root: `latest_receipt_info[3].expires_date`; empty for
    /// the document itself.
    public var path: String
}

/// Something that an importer couldn't map, or decided, and the place where it was seen.
///
/// A message quotes what was seen with control characters escaped, and never a secret.
public struct ImportRemark: Hashable, Sendable, CustomStringConvertible {
    /// How grave it is.
    ///
    /// An error: a document or a transaction is not in the log. A warning: something that it says
    /// is not in the log. A note: everything is and a decision was taken, or a key isn't known.
    public var level: Level
    /// Where it was seen.
    public var place: ImportPlace
    /// What was seen and what became of it.
    public var message: String

    /// `file:line: level: path: message`, in one line, for standard error.
    public var description: String {
        let path = place.path.isEmpty ? "" : EscapedText.escape(place.path) + ": "
        let file = EscapedText.escape(place.file)
        return "\(file):\(place.line): \(level.rawValue): \(path)\(message)"
    }
}
