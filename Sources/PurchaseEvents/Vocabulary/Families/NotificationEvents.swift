// The family `notification`: what the App Store sent to the server (G7).

/// A status update notification arrived (`notification.received`, G7.1).
public struct NotificationReceived<S: Spelling>: Hashable, Sendable {
    /// The notification.
    public var notification: NotificationID<S>
    /// The notification's type as the App Store names it (G7.3).
    public var name: S.Text
    /// The notification's subtype as the App Store names it.
    public var subtype: S.Text?
    /// The version of the notifications: 1 or 2.
    public var version: Int64
    /// Whether the shared secret was right; absent where none was expected.
    public var secret: SecretCheck?
    /// What is known of the signature.
    public var signature: SignatureCheck?

    /// The fact with what it says; what is absent is not said.
    public init(
        notification: NotificationID<S>, name: S.Text, subtype: S.Text? = nil, version: Int64,
        secret: SecretCheck? = nil, signature: SignatureCheck? = nil
    ) {
        self.notification = notification
        self.name = name
        self.subtype = subtype
        self.version = version
        self.secret = secret
        self.signature = signature
    }

    init<R: FieldReader>(from fields: inout R) throws(FieldProblem) where R.S == S {
        notification = try fields.required(.notification)
        name = try fields.required(.name)
        subtype = try fields.optional(.subtype)
        version = try fields.required(.version)
        secret = try fields.optional(.secret)
        signature = try fields.optional(.signature)
    }
}

extension NotificationReceived where S: WritableSpelling {
    func write(to line: inout LineWriter) throws(WritingProblem) {
        try line.write(.notification, notification)
        try line.write(.name, name)
        try line.write(.subtype, subtype)
        try line.write(.version, version)
        try line.write(.secret, secret)
        try line.write(.signature, signature)
    }
}
