// The family `log`: what a log says about itself.

/// The log begins here (`log.opened`): always line 1.
public struct LogOpened<S: Spelling>: Hashable, Sendable {
    /// The version of the format: 1.
    public var schema: Int64
    /// Whether each line carries a chain value (event-log.md, 6).
    @Packed public var chained: Bool?
    /// The app whose events the log holds.
    @Packed public var app: S.Text?
    /// The program that wrote the log.
    @Packed public var writer: S.Text?

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(schema: Int64, app: S.Text? = nil, writer: S.Text? = nil, chained: Bool? = nil) {
        self.schema = schema
        self.app = app
        self.writer = writer
        self.chained = chained
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        schema = fields.required(.schema)
        app = fields.optional(.app)
        writer = fields.optional(.writer)
        chained = fields.optional(.chained)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.schema, schema)
        try fields.write(.app, app)
        try fields.write(.writer, writer)
        try fields.write(.chained, chained)
    }
}

/// A torn tail was cut off (`log.recovered`): bytes that the log had never acknowledged.
public struct LogRecovered<S: Spelling>: Hashable, Sendable {
    /// The number of bytes cut off.
    public var bytes: Int64
    /// The SHA-256 of the bytes, as 64 lower-case hex digits.
    public var sha256: S.Text
    /// The name of the file beside the log that holds the bytes.
    @Packed public var file: S.Text?

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
    public init(bytes: Int64, sha256: S.Text, file: S.Text? = nil) {
        self.bytes = bytes
        self.sha256 = sha256
        self.file = file
    }

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        bytes = fields.required(.bytes)
        sha256 = fields.required(.sha256)
        file = fields.optional(.file)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.bytes, bytes)
        try fields.write(.sha256, sha256)
        try fields.write(.file, file)
    }
}
