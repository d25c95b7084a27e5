import Foundation

/// The public declarations of a module, from a scan of its sources: one line each, without
/// attributes, comments, values and bodies; members come after their type's name.
struct PublicSymbols {
    /// Sorted lines such as `EventLog: func append(_ draft: Draft) throws -> Appended`.
    let lines: [String]
    /// Files with unbalanced braces, whose lines are wrong.
    let unbalanced: [String]

    init(_ files: [SourceFile]) {
        let types = #"\b(?:struct|class|enum|actor|protocol) +(\w+)"#
        let all = files.flatMap { $0.matches(of: "^[@()\\w ]*" + types) }.map(\.text)
        let shown = files.flatMap { $0.matches(of: "^[@()\\w ]*\\bpublic\\b[@()\\w ]*" + types) }
        let hidden = Set(all).subtracting(shown.map(\.text))
        let scans = files.map { DeclarationScan($0.code, hidden: hidden) }
        lines = Set(scans.flatMap(\.found)).sorted()
        unbalanced = zip(files, scans).filter { !$1.isBalanced }.map(\.0.path)
    }
}

/// Reads the public declarations of one file, with the types that contain them.
private struct DeclarationScan {
    private enum Braces { case type, enumeration, requirements, accessors, body }

    /// The contents of a pair of braces.
    private struct Scope {
        var braces: Braces
        /// The name of the type that the members belong to.
        var type = ""
        /// The text before the brace, if the brace is inside a declaration.
        var header: [UInt8] = []
        var depth = 0
        /// The property or subscript of the accessors.
        var declaration = ""
    }

    private(set) var found: Set<String> = []
    private(set) var isBalanced = true
    private let hidden: Set<String>
    private var scopes = [Scope(braces: .type)] {
        didSet { isBody = scope.braces == .body }
    }
    private var isBody = false
    private var header: [UInt8] = []
    private var depth = 0

    private var scope: Scope { scopes[scopes.count - 1] }

    init(_ lines: [String], hidden: Set<String>) {
        self.hidden = hidden
        let lines = lines.map { $0.drop(while: \.isWhitespace) }.filter { !$0.isEmpty }
        for (index, line) in lines.enumerated() {
            for byte in line.utf8 { read(byte) }
            let next = index + 1 < lines.count ? lines[index + 1] : ""
            if depth == 0, header.last != UInt8(ascii: ","), !Declaration.continues(next) {
                flush()
            } else {
                header.append(UInt8(ascii: " "))
            }
        }
        isBalanced = isBalanced && scopes.count == 1 && depth == 0
    }

    private mutating func read(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"): open()
        case UInt8(ascii: "}"): close()
        case _ where isBody: break
        case UInt8(ascii: ";"): flush()
        default:
            if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") { depth -= 1 }
            header.append(byte)
        }
    }

    /// Whether the text may be part of a public declaration. Most isn't, and parsing costs time.
    private var isOfNote: Bool {
        let words: [String] =
            switch scope.braces {
            case .body: []
            case .type: ["public", "open", "extension"]
            case .enumeration: ["public", "open", "case"]
            case .requirements: [""]
            case .accessors: ["set", "_modify"]
            }
        guard !header.isEmpty, !words.isEmpty else { return false }
        let text = String(decoding: header, as: UTF8.self)
        return words.contains { $0.isEmpty || text.contains($0) }
    }

    private mutating func open() {
        // A closure among the arguments belongs to the declaration.
        var inner = Scope(braces: .body, header: depth > 0 ? header : [], depth: depth)
        if depth == 0, isOfNote {
            let declaration = Declaration(header)
            let name = declaration.name(in: scope.type)
            let isShown = isPublic(declaration)
            note(declaration)
            switch declaration.keyword {
            case "struct", "class", "actor": if isShown { inner = Scope(braces: .type, type: name) }
            case "enum": if isShown { inner = Scope(braces: .enumeration, type: name) }
            case "protocol": if isShown { inner = Scope(braces: .requirements, type: name) }
            case "extension" where !hidden.contains(declaration.extended):
                inner = Scope(braces: .type, type: name)
            case "var", "subscript":
                if isShown, !declaration.hasValue {
                    inner = Scope(braces: .accessors)
                    inner.declaration = line(of: declaration)
                    found.remove(inner.declaration)
                    found.insert(inner.declaration + " { get }")
                }
            default: break
            }
        }
        scopes.append(inner)
        (header, depth) = ([], 0)
    }

    private mutating func close() {
        flush()
        guard scopes.count > 1 else {
            isBalanced = false
            return
        }
        let closed = scopes.removeLast()
        (header, depth) = (closed.header + (closed.depth > 0 ? Array("{}".utf8) : []), closed.depth)
    }

    private mutating func flush() {
        if isOfNote { note(Declaration(header)) }
        header = []
    }

    private mutating func note(_ declaration: Declaration) {
        if scope.braces == .accessors {
            guard declaration.isSetter else { return }
            found.remove(scope.declaration + " { get }")
            found.insert(scope.declaration + " { get set }")
        } else if isPublic(declaration) {
            let cases = declaration.cases.map { "\(scope.type): case \($0)" }
            found.formUnion(declaration.keyword == "case" ? cases : [line(of: declaration)])
        }
    }

    private func line(of declaration: Declaration) -> String {
        (scope.type.isEmpty ? "" : scope.type + ": ") + declaration.text
    }

    private func isPublic(_ declaration: Declaration) -> Bool {
        switch declaration.keyword {
        case "": false
        case "extension":
            declaration.conforms && !hidden.contains(declaration.extended)
        case "case": scope.braces == .enumeration
        default: declaration.isPublic || scope.braces == .requirements
        }
    }
}

/// The text before a body, parsed.
private struct Declaration {
    /// `struct`, `func`, `case` and so on; empty if the text declares nothing.
    private(set) var keyword = ""
    private(set) var isPublic = false
    /// The declaration without attributes, `public` and a value.
    private(set) var text = ""
    /// Whether a value follows the declaration.
    private(set) var hasValue = false
    /// The text after the keyword, without a value.
    private var rest = ""
    /// Whether the text introduces the setter of a property.
    let isSetter: Bool

    /// Attributes and modifiers, the keyword, and the rest.
    private static var form: Regex<(Substring, Substring, Substring, Substring)> {
        #/
        ( (?: @\w+ (?:\([^()]*\))? \s+
            | (?:public|package|internal|private|fileprivate|open|final|static|mutating|override
                |nonmutating|consuming|borrowing|required|convenience|indirect|weak|lazy
                |nonisolated|class(?=\s+(?:func|var)\b)) (?:\(\w+\))? \s+ )* )
        (struct|class|enum|actor|protocol|extension|func|init|subscript|var|let|case
            |typealias|associatedtype) \b (.*)
        /#
    }

    /// Whether a line continues the declaration of the line before.
    static func continues(_ line: Substring) -> Bool {
        ["where ", "->", "throws", "async", ": ", "& "].contains { line.hasPrefix($0) }
    }

    init(_ header: [UInt8]) {
        let text = String(decoding: header, as: UTF8.self)
            .split(separator: " ").joined(separator: " ")
            .replacing("( ", with: "(").replacing(" )", with: ")")
        isSetter = text.wholeMatch(of: #/(?:.*\s)?(?:set|_modify)(?:\(.*)?/#) != nil
        guard let match = text.wholeMatch(of: Declaration.form) else { return }
        keyword = String(match.2)
        let modifiers = match.1.split(separator: " ").filter { !$0.hasPrefix("@") }
        isPublic = modifiers.contains { ["public", "open"].contains($0) }
        rest = String(match.3)
        if !["case", "typealias"].contains(keyword), let value = Declaration.beforeValue(rest) {
            hasValue = true
            rest = value
        }
        let shown = modifiers.filter { $0 != "public" }.map(String.init) + [keyword + rest]
        self.text = shown.joined(separator: " ")
    }

    /// The text before the value of a declaration; `nil` if there is no value.
    private static func beforeValue(_ text: String) -> String? {
        let parts = parts(of: text + " ", at: " = ")
        return parts.count > 1 ? parts[0] : nil
    }

    /// The parts of a text between separators outside parentheses.
    private static func parts(of text: String, at separator: String) -> [String] {
        var parts = [""]
        for piece in text.components(separatedBy: separator) {
            let last = parts[parts.count - 1]
            let isOpen =
                last.utf8.count { "([<".utf8.contains($0) }
                > last.replacing("->", with: "").utf8.count { ")]>".utf8.contains($0) }
            if isOpen {
                parts[parts.count - 1] += separator + piece
            } else {
                parts.append(piece)
            }
        }
        return Array(parts.dropFirst())
    }

    /// The cases that one `case` line declares.
    var cases: [String] {
        Declaration.parts(of: rest, at: ",").map { part in
            Declaration.parts(of: part, at: " = ")[0].trimmingCharacters(in: .whitespaces)
        }
    }

    /// The extended type, without constraints.
    var extended: String {
        String(rest.trimmingCharacters(in: .whitespaces).prefix { $0.isLetter || $0.isNumber })
    }

    /// Whether an extension adds a conformance.
    var conforms: Bool { rest.firstMatch(of: #/[\w>]: /#) != nil }

    /// The qualified name of the type that the declaration is of.
    func name(in type: String) -> String {
        let parts = rest.trimmingCharacters(in: .whitespaces).components(separatedBy: " where ")
        let name = parts[0].prefix { $0 != ":" }
        guard keyword != "extension" else {
            return parts.count > 1 ? "\(name) where \(parts[1])" : String(name)
        }
        let plain = name.prefix { $0 != "<" && $0 != " " }
        return type.isEmpty ? String(plain) : "\(type).\(plain)"
    }
}
