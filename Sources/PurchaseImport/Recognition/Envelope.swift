import PurchaseEvents

/// The document in an envelope: the one member of an object, at most four levels down, that is a
/// document of the App Store, as an object or as text (importing.md, 1).
struct Envelope {
    /// A member that is a document, or an array of documents.
    struct Member {
        var path: String
        var value: JSONValue
        var surroundings: Surroundings
    }

    enum Content {
        case none
        case one(Member)
        /// The paths of the first few of several documents.
        case several([String])
    }

    private let options: ImportOptions
    private var found: [Member] = []

    init(_ document: JSONValue, in surroundings: Surroundings, _ options: ImportOptions) {
        self.options = options
        search(document, path: "", surroundings)
    }

    /// Whether a text, such as a cell of a table, is a document or an envelope with one.
    static func isDocument(_ text: [UInt8], _ options: ImportOptions) -> Bool {
        Envelope(options).isDocument(text, isBody: false, Surroundings())
    }

    private init(_ options: ImportOptions) { self.options = options }

    var content: Content {
        guard let first = found.first else { return .none }
        return found.count == 1 ? .one(first) : .several(found.map(\.path))
    }

    private mutating func search(
        _ value: JSONValue, path: String, _ surroundings: Surroundings
    ) {
        guard let members = value.members, let inner = surroundings.ofMember else { return }
        for member in members where found.count < 4 {
            let path = path.isEmpty ? member.key : "\(path).\(member.key)"
            if holdsDocuments(member, inner) {
                found.append(Member(path: path, value: member.value, surroundings: inner))
            } else {
                search(member.value, path: path, inner)
            }
        }
    }

    /// Whether a member is a document, or an array with one: a batch of messages may begin with one
    /// that is no document.
    private func holdsDocuments(_ member: JSONValue.Member, _ surroundings: Surroundings) -> Bool {
        let value = member.value
        switch value.content {
        case .string(let text):
            let isBody = Envelope.isBody(member.key)
            return isDocument(Array(text.utf8), isBody: isBody, surroundings)
        case .object: return AppStoreFormat.format(of: value, options) != nil
        case .array(let elements):
            return elements.contains { isDocument($0, surroundings) }
        case .null, .flag, .number: return false
        }
    }

    private func isDocument(_ value: JSONValue, _ surroundings: Surroundings) -> Bool {
        if case .string(let text) = value.content {
            return isDocument(Array(text.utf8), isBody: false, surroundings)
        }
        if AppStoreFormat.format(of: value, options) != nil { return true }
        if case .one = Envelope(value, in: surroundings, options).content { return true }
        return false
    }

    /// Whether a text is a document; the body of a request counts as one even if it is torn, so
    /// that its problem is reported.
    private func isDocument(
        _ text: [UInt8], isBody: Bool, _ surroundings: Surroundings
    ) -> Bool {
        switch DocumentText(text) {
        case .jws, .receipt: return true
        case .json(let bytes, _):
            guard let inner = surroundings.ofText else { return false }
            guard let document = try? JSONReader.document(bytes) else { return isBody }
            return (document.elements ?? [document]).contains { isDocument($0, inner) }
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
