import Foundation

/// A Swift file of the package, as the tests of style see it.
struct SourceFile: Sendable, CustomStringConvertible {
    /// The path from the package's root.
    let path: String
    let lines: [String]
    /// The lines without remarks and without what stands in quotes.
    let code: [String]

    var description: String { path }
    /// The file's name without its extension.
    var name: String { String(path.split(separator: "/").last?.dropLast(6) ?? "") }

    /// Every Swift file below Sources and Tests.
    static let all: [SourceFile] = ["Sources", "Tests"].flatMap { folder in
        let root = Folders.root.appending(path: folder)
        let paths = FileManager.default.enumerator(atPath: root.path(percentEncoded: false))
        let all = (paths?.allObjects as? [String]) ?? []
        return all.filter { $0.hasSuffix(".swift") }.sorted().compactMap {
            SourceFile(path: "\(folder)/\($0)")
        }
    }

    /// The files below a folder.
    static func below(_ folder: String) -> [SourceFile] {
        all.filter { $0.path.hasPrefix(folder + "/") }
    }

    init?(path: String) {
        let file = Folders.root.appending(path: path)
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        self.init(path: path, text: text)
    }

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var isInText = false
        code = lines.map { SourceFile.code(of: $0, &isInText) }
    }

    /// A line without its remark and its quotations; `isInText` is kept from line to line.
    private static func code(of line: String, _ isInText: inout Bool) -> String {
        let parts = line.components(separatedBy: "\"\"\"")
        if parts.count > 1 {
            let before = isInText ? "" : parts[0]
            if parts.count % 2 == 0 { isInText.toggle() }
            return before
        }
        guard !isInText else { return "" }
        var code = ""
        var isQuoted = false
        var previous: Character = " "
        for character in line {
            if character == "\"", previous != "\\" { isQuoted.toggle() }
            if !isQuoted {
                if character == "/", previous == "/" { return String(code.dropLast()) }
                code.append(character)
            }
            previous = previous == "\\" && character == "\\" ? " " : character
        }
        return code
    }

    /// The modules that the file imports.
    var imports: Set<String> {
        let words = code.map { $0.split(separator: " ").filter { !$0.hasPrefix("@") } }
        return Set(words.filter { $0.first == "import" }.compactMap { $0.last.map(String.init) })
    }

    /// The functions and initialisers with bodies: the number of the first line, and of all lines.
    var functions: [(line: Int, count: Int)] {
        code.indices.compactMap { start in
            let line = code[start]
            guard line.contains(#/\b(func [^ ]|init[?<(]|subscript[<(]|deinit \{)/#),
                !line.hasSuffix("}"), !line.contains(#/[.]init/#)
            else { return nil }
            let indent = line.prefix { $0 == " " }
            guard let end = code[start...].firstIndex(of: indent + "}") else { return nil }
            return (start + 1, end - start + 1)
        }
    }

    /// The names of the types that the file declares at its top level.
    var types: [String] {
        code.compactMap { line in
            let pattern =
                #/^(?:public |package |final |indirect )*(?:struct|class|enum|actor|protocol) (\w+)/#
            return line.prefixMatch(of: pattern).map { String($0.1) }
        }
    }

    /// Where the code matches a pattern: `path:line: text`.
    func places(of pattern: some RegexComponent) -> [String] {
        zip(lines, code).enumerated().filter { $0.element.1.contains(pattern) }.map {
            "\(path):\($0.offset + 1): \($0.element.0.trimmingCharacters(in: .whitespaces))"
        }
    }
}
