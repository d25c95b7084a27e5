/// The values that an option or an operand accepts.
enum ArgumentValues: Hashable, Sendable {
    case text
    case path
    /// One of these words; for an option, any other word is a usage error.
    case oneOf([String])
    /// Preferably one of these words; the command decides which others are valid.
    case suggested([String])
    /// Some of these words, separated by commas.
    case list([String])

    /// The words to offer for completion; empty if any text or path is accepted.
    var words: [String] {
        switch self {
        case .text, .path: []
        case .oneOf(let words), .suggested(let words), .list(let words): words
        }
    }
}
