// The family `notification`: what the App Store sends to the server (G7).

/// A status update notification arrived (`notification.received`, G7.1).
public struct NotificationReceived<S: Spelling>: Hashable, Sendable {
    /// The version of App Store notifications: 1 or 2.
    public var version: Int64
    /// Whether the shared secret was right; `nil` if none was expected.
    @Packed public var secret: SecretCheck?
    /// The result of checking the signature.
    @Packed public var signature: SignatureCheck?
    /// The notification.
    public var notification: NotificationID<S>
    /// The notification's type, as the App Store names it (G7.3).
    public var name: S.Text
    /// The notification's subtype, as the App Store names it.
    @Packed public var subtype: S.Text?

    /// Creates the fact; a `nil` argument leaves its key out.
    @inlinable
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

    init<R: FieldReader>(from fields: inout R) where R.S == S {
        notification = fields.required(.notification)
        name = fields.required(.name)
        subtype = fields.optional(.subtype)
        version = fields.required(.version)
        secret = fields.optional(.secret)
        signature = fields.optional(.signature)
    }

    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        try fields.write(.notification, notification)
        try fields.write(.name, name)
        try fields.write(.subtype, subtype)
        try fields.write(.version, version)
        try fields.write(.secret, secret)
        try fields.write(.signature, signature)
    }
}
