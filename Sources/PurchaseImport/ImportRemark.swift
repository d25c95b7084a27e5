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

/// Gathers the remarks on one file: the first of them, and how many more there are, so that memory
/// doesn't grow with what is wrong.
final class ImportRemarks {
    /// The most remarks that are kept of a file.
    static let limit = 1_000

    /// The file that the remarks are on.
    let file: String
    private var remarks: [ImportRemark] = []
    private var leftOut: (count: Int, gravest: ImportRemark)?
    private let lines: BytePlaces
    private var unknownKeys: Set<String> = []

    /// No remarks yet on a file.
    init(on file: ImportFile) {
        self.file = file.name
        lines = BytePlaces(of: file.bytes)
    }

    /// The remarks; where there were too many, the last one is the gravest of those that were left
    /// out, and says how many they are.
    func finish() -> [ImportRemark] {
        guard let leftOut else { return remarks }
        var last = leftOut.gravest
        if leftOut.count > 1 {
            last.message += "; \(leftOut.count - 1) more remarks on this file are left out"
        }
        return remarks + [last]
    }

    /// The place of a byte, counted from 0 at the start of the file.
    func place(of offset: Int, path: String = "") -> ImportPlace {
        let place = lines.place(of: offset)
        return ImportPlace(file: file, line: place.line, byte: place.byte, path: path)
    }

    /// Adds a remark on the byte at an offset; its words are made only where it is kept.
    func add(
        _ level: Level, at offset: Int, path: String = "", _ message: @autoclosure () -> String
    ) {
        if remarks.count < ImportRemarks.limit {
            remarks.append(remark(level, offset, path, message()))
        } else if let gravest = leftOut?.gravest, level.gravity <= gravest.level.gravity {
            leftOut?.count += 1
        } else {
            leftOut = ((leftOut?.count ?? 0) + 1, remark(level, offset, path, message()))
        }
    }

    private func remark(
        _ level: Level, _ offset: Int, _ path: String, _ message: String
    ) -> ImportRemark {
        ImportRemark(level: level, place: place(of: offset, path: path), message: message)
    }

    /// Adds a remark on a key that the App Store is not known to write, once for each key of a
    /// kind of record: the rows of a long history would say it again and again.
    func addUnknownKey(_ key: String, in kind: String, at offset: Int, path: String) {
        guard unknownKeys.insert("\(kind) \(key)").inserted else { return }
        add(.note, at: offset, path: path, "a key that is not known is not mapped, here or later")
    }
}

extension Level {
    fileprivate var gravity: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }
}
