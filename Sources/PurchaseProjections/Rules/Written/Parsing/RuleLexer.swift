/// A token of a rule file: a word, a text, a sign or the end of a rule.
struct RuleToken: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// A word, number or time without quotes.
        case word
        case quoted
        /// One of `: , ( ) = != < <= > >=`.
        case sign
        /// A blank line, or the end of the file: the end of a rule.
        case end
    }

    var kind: Kind
    /// The text, without quotes and escapes.
    var text: String
    var position: RulePosition

    /// The token as messages quote it.
    var description: String {
        switch kind {
        case .word, .sign: "`\(text)`"
        case .quoted: "the text \"\(text)\""
        case .end: "the end of the rule"
        }
    }
}

struct RuleLexer {
    /// The maximum length of a line in columns.
    static let columns = 100

    private var tokens: [RuleToken] = []

    /// The tokens of a file; each paragraph ends with an `end`.
    static func tokens(of bytes: [UInt8]) throws(RuleProblem) -> [RuleToken] {
        var lexer = RuleLexer()
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let lines = bytes.dropFirst(hasMark ? 3 : 0)
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            try lexer.read(line.last == UInt8(ascii: "\r") ? line.dropLast() : line, index + 1)
        }
        lexer.endParagraph(RulePosition(line: lines.count, column: (lines.last?.count ?? 0) + 1))
        return lexer.tokens
    }

    private mutating func endParagraph(_ position: RulePosition) {
        guard let last = tokens.last, last.kind != .end else { return }
        tokens.append(RuleToken(kind: .end, text: "", position: position))
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>, _ number: Int) throws(RuleProblem) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw RuleProblem(
                RulePosition(line: number, column: 1), seen: "bytes that aren't UTF-8",
                expected: "text in UTF-8")
        }
        let line = Array(text.unicodeScalars)
        var column = 0
        while column < line.count, RuleLexer.isSpace(line[column]) { column += 1 }
        if column == line.count { return endParagraph(RulePosition(line: number, column: 1)) }
        while column < line.count {
            let scalar = line[column]
            let position = RulePosition(line: number, column: column + 1)
            if RuleLexer.isSpace(scalar) {
                column += 1
            } else if scalar == "#" {
                break
            } else if scalar == "\"" {
                let text = try RuleLexer.quoted(line, &column, position)
                tokens.append(RuleToken(kind: .quoted, text: text, position: position))
            } else if let sign = RuleLexer.sign(line, column) {
                column += sign.count
                tokens.append(RuleToken(kind: .sign, text: sign, position: position))
            } else {
                let text = try RuleLexer.word(line, &column, position)
                tokens.append(RuleToken(kind: .word, text: text, position: position))
            }
        }
        if line.count > RuleLexer.columns {
            throw RuleProblem(
                RulePosition(line: number, column: RuleLexer.columns + 1),
                seen: "a line of \(line.count) columns",
                expected: "at most \(RuleLexer.columns) columns")
        }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t"
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    private static func sign(_ line: [Unicode.Scalar], _ column: Int) -> String? {
        let next = column + 1 < line.count ? line[column + 1] : " "
        let first = line[column]
        if ["!", "<", ">"].contains(first), next == "=" { return "\(first)=" }
        return [":", ",", "(", ")", "=", "<", ">"].contains(first) ? "\(first)" : nil
    }

    /// Reads a word, up to a space, a quote, a sign or a comment.
    ///
    /// A word that begins with a digit may contain the colons of a time.
    private static func word(
        _ line: [Unicode.Scalar], _ column: inout Int, _ position: RulePosition
    ) throws(RuleProblem) -> String {
        let isNumber = (0x30...0x39).contains(line[column].value)
        var word = String.UnicodeScalarView()
        while column < line.count {
            let scalar = line[column]
            let isColon = isNumber && scalar == ":"
            if isSpace(scalar) || scalar == "#" || scalar == "\"" { break }
            if !isColon, sign(line, column) != nil { break }
            guard !isControl(scalar) else {
                throw RuleProblem(
                    RulePosition(line: position.line, column: column + 1),
                    seen: "a control character", expected: "a word")
            }
            word.append(scalar)
            column += 1
        }
        return String(word)
    }

    /// Reads a text in quotes, in which `\"` is a quote and `\\` a backslash.
    private static func quoted(
        _ line: [Unicode.Scalar], _ column: inout Int, _ position: RulePosition
    ) throws(RuleProblem) -> String {
        var text = String.UnicodeScalarView()
        column += 1
        while column < line.count, line[column] != "\"" {
            if line[column] == "\\" {
                column += 1
                guard column < line.count, line[column] == "\"" || line[column] == "\\" else {
                    throw RuleProblem(
                        RulePosition(line: position.line, column: column),
                        seen: "a backslash", expected: "`\\\"` or `\\\\`")
                }
            }
            guard !isControl(line[column]) else {
                throw RuleProblem(
                    RulePosition(line: position.line, column: column + 1),
                    seen: "a control character", expected: "a character of a text")
            }
            text.append(line[column])
            column += 1
        }
        guard column < line.count else {
            throw RuleProblem(
                position, seen: "a text without an end", expected: "`\"` at the end of the text")
        }
        column += 1
        return String(text)
    }
}
