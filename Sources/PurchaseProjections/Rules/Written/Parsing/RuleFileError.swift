import PurchaseEvents

/// An error in a rule file: its position, what was seen, and what was expected.
public struct RuleFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the file.
    public let file: String
    /// The position of the first wrong character: line and column, counted from 1.
    public let line: Int, column: Int
    /// A description of what is at the position.
    public let seen: String
    /// A description of what could be there instead.
    public let expected: String
    /// The valid word most similar to the wrong one, if any.
    public let nearest: String?

    /// The error in one line: `FILE:LINE:COLUMN: seen …, expected …`.
    public var description: String {
        let hint = nearest.map { ": did you mean `\($0)`?" } ?? ""
        return "\(file):\(line):\(column): seen \(seen), expected \(expected)\(hint)"
    }
}

/// A position in a rule file, counted from 1; columns count Unicode scalars.
struct RulePosition: Hashable, Sendable {
    var line: Int
    var column: Int
}

/// A ``RuleFileError`` without the file's name.
struct RuleProblem: Error {
    var position: RulePosition
    var seen: String
    var expected: String
    var nearest: String?

    init(_ position: RulePosition, seen: String, expected: String, nearest: String? = nil) {
        (self.position, self.seen) = (position, seen)
        (self.expected, self.nearest) = (expected, nearest)
    }

    init(_ token: RuleToken, expected: String, nearest: String? = nil) {
        self.init(token.position, seen: token.description, expected: expected, nearest: nearest)
    }

    /// Creates the problem of a key that `of the same` names twice.
    init(again token: RuleToken) {
        self.init(token.position, seen: "\(token.description) again", expected: "each key once")
    }

    /// Creates the problem of a word that isn't among the valid words.
    ///
    /// The message shows up to eight valid words; instead of a longer list it shows `kind`. Either
    /// way it suggests the most similar word.
    init(_ token: RuleToken, _ kind: String, among words: [String]) {
        let list = words.count <= 8 ? RuleProblem.list(words) : kind
        self.init(token, expected: list, nearest: NearestWord.find(token.text, in: words))
    }

    /// Words in backquotes, separated by commas, with "or" before the last.
    static func list(_ words: [String]) -> String {
        let quoted = words.map { "`\($0)`" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "nothing" }
        return quoted.dropLast().joined(separator: ", ") + " or " + last
    }
}
