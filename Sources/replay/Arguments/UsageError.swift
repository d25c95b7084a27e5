import PurchaseEvents
import PurchaseProjections

struct UsageError: Error, Hashable {
    /// What was seen and what was expected, escaped for a terminal.
    var message: String
    /// Whether a word is no command, so that the tool's help says more than that of any command.
    var isOfTool = false

    init(_ message: String) { self.message = message.escaped }

    /// Creates an error about an unknown word, which suggests the most similar valid word, or lists
    /// all valid words if they are few.
    ///
    /// - Parameters:
    ///   - prefix: The text before each of the words, such as `--`.
    ///   - seen: The typed text, if it isn't the prefix and the word.
    ///   - lister: The command that lists the words, if they are too many for a message.
    init(
        unknown kind: String, _ typed: String, among words: [String], prefix: String = "",
        seen: String? = nil, lister: String? = nil
    ) {
        var message = "unknown \(kind) `\(seen ?? prefix + typed)`"
        if let nearest = NearestWord.find(typed, in: words) {
            message += ": did you mean `\(prefix)\(nearest)`?"
        } else if words.count <= 12 {
            message += ": expected \(UsageError.list(words.map { prefix + $0 }))"
        } else if let lister {
            message += ": `\(lister)` lists all"
        }
        self.init(message)
    }

    /// The words joined by commas, with "or" before the last.
    static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
