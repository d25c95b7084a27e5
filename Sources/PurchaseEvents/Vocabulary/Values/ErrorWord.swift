/// The reason for a failure: a ``KnownError``, or any other word or text (event-log.md, 3).
public struct ErrorWord<S: Spelling>: Hashable, Sendable {
    /// The error in the format's list, or `nil` for any other text.
    @Packed public private(set) var known: KnownError?
    /// The text in this spelling, up to 4,096 bytes.
    public let text: S.Text

    init(_ text: S.Text, known: KnownError?) {
        self.text = text
        self.known = known
    }
}

extension ErrorWord where S == Written {
    /// Creates an error from its text.
    public init(_ text: String) {
        let known = text.withTextBytes { KnownError.words.find(UnsafeRawBufferPointer($0)) }
        self.init(text, known: known)
    }
}

/// An optional error, as ``Packed`` stores it.
public struct OptionalErrorWord<S: Spelling>: Hashable, Sendable {
    @Packed fileprivate var known: KnownError?
    @Packed fileprivate var text: S.Text?

    fileprivate init(_ error: ErrorWord<S>?) { (known, text) = (error?.known, error?.text) }
}

extension ErrorWord: Packable {
    /// Stores an error or `nil`.
    public static func pack(_ value: ErrorWord?) -> OptionalErrorWord<S> {
        OptionalErrorWord(value)
    }

    /// The stored error, or `nil`.
    public static func unpack(_ packed: OptionalErrorWord<S>) -> ErrorWord? {
        packed.text.map { ErrorWord($0, known: packed.known) }
    }
}

extension ErrorWord: ExpressibleByStringLiteral, ExpressibleByUnicodeScalarLiteral,
    ExpressibleByExtendedGraphemeClusterLiteral
where S == Written {
    /// Creates an error from a string literal.
    public init(stringLiteral value: String) { self.init(value) }
}

extension ErrorWord: CustomStringConvertible where S == Written {
    /// The text itself.
    public var description: String { text }
}
