import PurchaseEvents

/// Arguments that the tool doesn't take.
struct UsageError: Error, Hashable {
    /// What was seen and what was expected.
    var message: String
    /// The command whose help tells more.
    var command: String?

    /// What was seen and what was expected; what was typed is escaped here.
    init(_ message: String, command: String? = nil) {
        self.message = EscapedText.escape(message)
        self.command = command
    }

    /// An unknown word, with the nearest right one, else with all of them.
    ///
    /// - Parameters:
    ///   - prefix: what stands before each of the words.
    ///   - seen: what was typed, where that isn't the prefix and the word.
    ///   - lister: the command that lists the words, where they are too many to be told.
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

    /// The words, the last after "or".
    static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
