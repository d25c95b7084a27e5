import Foundation

/// A Swift file of the package, for the style tests.
struct SourceFile: Sendable, CustomStringConvertible {
    /// The path relative to the package's root.
    let path: String
    let lines: [String]
    /// The lines without comments and string contents.
    let code: [String]

    var description: String { path }
    /// The file's name without its extension.
    var name: String { String(path.split(separator: "/").last?.dropLast(6) ?? "") }

    /// Every Swift file of the package.
    static let all: [SourceFile] = ["Sources", "Tests", "Benchmarks"].flatMap { folder in
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
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        self.lines = lines
        code = SourceFile.code(of: text)
    }

    /// The lines of a text without comments and string contents; an empty string replaces each
    /// string.
    private static func code(of text: String) -> [String] {
        let (newline, quote) = (UInt8(ascii: "\n"), UInt8(ascii: "\""))
        let (slash, hash, backslash) = (UInt8(ascii: "/"), UInt8(ascii: "#"), UInt8(ascii: "\\"))
        let bytes = Array(text.utf8)
        var code: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == slash, bytes[index...].starts(with: "//".utf8) {
                index = bytes[index...].firstIndex(of: newline) ?? bytes.count
            } else if byte == quote || byte == hash, let mark = textMark(bytes[index...]) {
                let end = Array(mark.reversed())
                code += [quote, quote]
                index += mark.count
                while index < bytes.count,
                    bytes[index] != end[0] || !bytes[index...].starts(with: end)
                {
                    if bytes[index] == backslash, byte != hash { index += 1 }
                    // Keeps the lines and their indentation.
                    if index < bytes.count, bytes[index] == newline {
                        let indent = bytes[(index + 1)...].prefix { $0 == UInt8(ascii: " ") }
                        code += [newline] + indent
                        index += indent.count
                    }
                    index += 1
                }
                index += end.count
            } else {
                code.append(byte)
                index += 1
            }
        }
        return String(decoding: code, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The delimiter of a string that begins here, such as `"`, `"""` or `#"`; `nil` if none does.
    private static func textMark(_ rest: ArraySlice<UInt8>) -> [UInt8]? {
        let hashes = rest.prefix { $0 == UInt8(ascii: "#") }
        let quotes = rest.dropFirst(hashes.count).prefix { $0 == UInt8(ascii: "\"") }
        // Two quotes are an empty string, not the beginning of one.
        return quotes.isEmpty ? nil : Array(hashes + quotes.prefix(quotes.count < 3 ? 1 : 3))
    }

    /// The matches of a pattern in the code: the line number and the first group.
    func matches(of pattern: String) -> [(line: Int, text: String)] {
        guard
            let expression = try? NSRegularExpression(
                pattern: pattern, options: .anchorsMatchLines)
        else { return [(0, "no pattern: \(pattern)")] }
        let text = code.joined(separator: "\n") as NSString
        let whole = NSRange(location: 0, length: text.length)
        var (line, end) = (1, 0)
        return expression.matches(in: text as String, range: whole).map { match in
            let passed = NSRange(location: end, length: match.range.location - end)
            line += text.substring(with: passed).utf8.count { $0 == 0x0A }
            end = match.range.location
            let group = match.range(at: expression.numberOfCaptureGroups > 0 ? 1 : 0)
            return (line, text.substring(with: group))
        }
    }

    /// The matches of a pattern in the code, as `path:line: text`.
    func places(of pattern: String) -> [String] {
        matches(of: pattern).map {
            "\(path):\($0.line): \(lines[max(0, $0.line - 1)].trimmingCharacters(in: .whitespaces))"
        }
    }

    /// The modules that the file imports.
    var imports: Set<String> {
        Set(matches(of: #"^ *(?:@\w+ |public |package )*import (\w+)"#).map(\.text))
    }

    /// The functions and initializers with bodies: the first line's number and the number of lines.
    var functions: [(line: Int, count: Int)] {
        matches(of: #"^( *)(?:[@\w()]+ )*(?:func [^ ]|init[?<(]|subscript[<(]|deinit \{)"#)
            .compactMap { start, indent in
                guard !code[start - 1].hasSuffix("}"),
                    let end = code[start...].firstIndex(where: {
                        $0 == indent + "}" || (!$0.isEmpty && !$0.hasPrefix(indent))
                    }), code[end] == indent + "}"
                else { return nil }
                return (start, end - start + 2)
            }
    }

    /// The names of the types that the file declares at its top level.
    var types: [String] {
        let declaration = "(?:struct|class|enum|actor|protocol)"
        return matches(of: #"^(?:public |package |final |indirect )*\#(declaration) (\w+)"#)
            .map(\.text)
    }
}

extension SourceFile {
    /// Whether a line belongs to a quoted history in a test, or to a test that `replay test`
    /// printed: one event per line, of any length.
    func isHistory(at index: Int) -> Bool {
        name == "PrintedTest"
            || path.hasPrefix("Tests/") && code[index].allSatisfy(\.isWhitespace)
                && !lines[index].drop(while: \.isWhitespace).hasPrefix("//")
    }
}
