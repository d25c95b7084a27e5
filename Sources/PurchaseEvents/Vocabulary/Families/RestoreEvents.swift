// The family `restore`: getting earlier purchases back (G8).

/// A restore failed (`restore.failed`, G4.6).
public struct RestoreFailed<S: Spelling>: Hashable, Sendable {
    /// The platform's error number.
    @Packed public var code: Int64?
    /// The reason for the failure, usually one word.
    public var error: ErrorWord<S>

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(error: ErrorWord<S>, code: Int64? = nil) {
        self.error = error
        self.code = code
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        error = fields.required(.error)
        code = fields.optional(.code)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.error, error)
        try fields.write(.code, code)
    }
}
