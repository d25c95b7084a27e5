import PurchaseEvents

/// The document in an envelope: the one member of an object, at most four levels down, that is a
/// document of the App Store, as an object or as text (importing.md, 1).
struct Envelope {
    /// The greatest number of levels around a document.
    static let deepest = 4

    /// A member that is a document, or an array of documents.
    struct Member {
        var path: String
        var value: JSONValue
        /// The number of levels around the document.
        var depth: Int
    }

    /// The documents in the envelope.
    enum Content {
        case none
        case one(Member)
        /// The paths of the first few of several documents.
        case several([String])
    }

    private let options: ImportOptions
    private var found: [Member] = []

    init(_ document: JSONValue, depth: Int, _ options: ImportOptions) {
        self.options = options
        search(document, path: "", depth: depth)
    }

    /// Whether a text, such as a cell of a table, is a document or an envelope with one.
    static func isDocument(_ text: [UInt8], _ options: ImportOptions) -> Bool {
        Envelope(options).isDocument(text, isBody: false, depth: 0)
    }

    private init(_ options: ImportOptions) { self.options = options }

    /// The documents that were found.
    var content: Content {
        guard let first = found.first else { return .none }
        return found.count == 1 ? .one(first) : .several(found.map(\.path))
    }

    private mutating func search(_ value: JSONValue, path: String, depth: Int) {
        guard depth < Envelope.deepest, let members = value.members else { return }
        for member in members where found.count < 4 {
            let inner = path.isEmpty ? member.key : "\(path).\(member.key)"
            if holdsDocuments(member, depth: depth + 1) {
                found.append(Member(path: inner, value: member.value, depth: depth + 1))
            } else {
                search(member.value, path: inner, depth: depth + 1)
            }
        }
    }

    /// Whether a member is a document, or an array that begins with one.
    private func holdsDocuments(_ member: JSONValue.Member, depth: Int) -> Bool {
        let value = member.value
        switch value.content {
        case .string(let text):
            return isDocument(Array(text.utf8), isBody: Envelope.isBody(member.key), depth: depth)
        case .object: return AppStoreFormat.format(of: value, options) != nil
        case .array(let elements):
            guard let first = elements.first else { return false }
            if case .string(let text) = first.content {
                return isDocument(Array(text.utf8), isBody: false, depth: depth)
            }
            return first.members != nil && isDocument(first, depth: depth)
        case .null, .flag, .number: return false
        }
    }

    /// Whether a value is a document or an envelope with one.
    private func isDocument(_ value: JSONValue, depth: Int) -> Bool {
        if AppStoreFormat.format(of: value, options) != nil { return true }
        if case .one = Envelope(value, depth: depth, options).content { return true }
        return false
    }

    /// Whether a text is a document; the body of a request counts as one even if it is torn, so
    /// that its problem is reported.
    private func isDocument(_ text: [UInt8], isBody: Bool, depth: Int) -> Bool {
        switch DocumentText(text) {
        case .jws, .receipt: return true
        case .json(let bytes, _):
            guard depth < Envelope.deepest else { return false }
            guard let document = try? JSONReader.document(bytes) else { return isBody }
            let first = document.elements.map { $0.first } ?? document
            guard let first else { return false }
            if case .string(let text) = first.content {
                return isDocument(Array(text.utf8), isBody: false, depth: depth + 1)
            }
            return isDocument(first, depth: depth + 1)
        case nil: return false
        }
    }

    private static func isBody(_ key: String) -> Bool {
        ["body", "payload", "message"].contains(key.lowercased())
    }
}

extension AppStoreFormat {
    /// The format of a document: the one that the options ask for, or the first that recognises the
    /// document; `nil` if none does.
    static func format(of document: JSONValue, _ options: ImportOptions) -> AppStoreFormat? {
        guard document.members != nil else { return nil }
        return all.first { format in
            options.kind.map { $0 == format.kind } ?? format.recognises(document)
        }
    }
}
