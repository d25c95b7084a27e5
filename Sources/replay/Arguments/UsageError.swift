import PurchaseEvents
import PurchaseProjections

/// Why the tool refuses its arguments.
struct UsageError: Error, Hashable {
    /// What was seen and what was expected, escaped for a terminal.
    var message: String
    /// The command whose help to point to; `nil` for the help of the tool.
    var command: String?

    /// An error with a message, which is escaped here.
    init(_ message: String, command: String? = nil) {
        self.message = EscapedText.escape(message)
        self.command = command
    }

    /// An error about an unknown word: suggests the nearest right one, or lists all where they are
    /// few.
    ///
    /// - Parameters:
    ///   - prefix: the text before each of the words, such as `--`.
    ///   - seen: what was typed, where that is something else than the prefix and the word.
    ///   - lister: the command that lists the words, where they are too many for a message.
    init(
        unknown kind: String, _ typed: String, among words: [String], prefix: String = "",
        seen: String? = nil, lister: String? = nil, command: String? = nil
    ) {
        var message = "unknown \(kind) `\(seen ?? prefix + typed)`"
        if let nearest = NearestWord.find(typed, in: words) {
            message += ": did you mean `\(prefix)\(nearest)`?"
        } else if words.count <= 12 {
            message += ": expected \(UsageError.list(words.map { prefix + $0 }))"
        } else if let lister {
            message += ": `\(lister)` lists all"
        }
        self.init(message, command: command)
    }

    /// The words joined by commas, with "or" before the last.
    static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
