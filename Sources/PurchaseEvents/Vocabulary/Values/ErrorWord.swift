/// Why something failed: one of ``KnownError``, or another word or text (event-log.md, 3).
public struct ErrorWord<S: Spelling>: Hashable, Sendable {
    /// The text as this spelling holds it: up to 4,096 bytes.
    public let text: S.Text
    /// The error that the format names, where it is one.
    public let known: KnownError?

    /// What a reader found in a line.
    init(_ text: S.Text, known: KnownError?) {
        self.text = text
        self.known = known
    }
}

extension ErrorWord where S: WritableSpelling {
    /// An error of that text.
    public init(_ text: S.Text) {
        let known = text.withLineBytes { KnownError.words.find(UnsafeRawBufferPointer($0)) }
        self.init(text, known: known)
    }
}

extension ErrorWord: ExpressibleByStringLiteral, ExpressibleByUnicodeScalarLiteral,
    ExpressibleByExtendedGraphemeClusterLiteral
where
    S: WritableSpelling, S.Text: ExpressibleByStringLiteral,
    S.Text.StringLiteralType == String
{
    /// An error written out in source code.
    public init(stringLiteral value: String) { self.init(S.Text(stringLiteral: value)) }
}

extension ErrorWord: CustomStringConvertible where S == Written {
    /// The text itself.
    public var description: String { text }
}
