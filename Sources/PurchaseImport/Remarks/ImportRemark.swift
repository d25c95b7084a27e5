import PurchaseEvents

/// A place in an imported file.
public struct ImportPlace: Hashable, Sendable {
    /// The file's ``ImportFile/name``.
    public var file: String
    /// The line, counted from 1.
    public var line: Int
    /// The byte within the line, counted from 1.
    public var byte: Int = 1
    /// The path from the document's root, such as `latest_receipt_info[3].expires_date`; empty for
    /// the document itself.
    public var path: String = ""
}

/// A problem or a decision of an importer, and its place in a file.
///
/// A message escapes the control characters of the input that it quotes, and never quotes a secret.
public struct ImportRemark: Hashable, Sendable, CustomStringConvertible {
    /// The severity of the remark.
    ///
    /// An error: a document or a transaction is not in the log. A warning: a part of one is not in
    /// the log. A note: nothing is missing, but the importer made a decision or met an unknown key.
    public var level: Level
    /// The place in the file.
    public var place: ImportPlace
    /// What the importer saw, expected and did.
    public var message: String

    /// `file:line: level: path: message`, in one line, for standard error.
    public var description: String {
        let path = place.path.isEmpty ? "" : EscapedText.escape(place.path) + ": "
        let file = EscapedText.escape(place.file)
        return "\(file):\(place.line): \(level.rawValue): \(path)\(message)"
    }
}
