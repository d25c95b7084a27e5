/// What a name stands for; each role has a table of names of its own.
public enum NameRole: UInt8, CaseIterable, Sendable {
    /// The App Store's identifier of a transaction.
    case transaction
    /// The recorder's key of a payment.
    case payment
    /// An account of the app.
    case account
    /// An installation of the app.
    case device
    /// A product.
    case product
    /// A subscription group.
    case group
    /// A download of hosted content.
    case download
    /// A notification of the App Store.
    case notification
    /// A snapshot of a receipt.
    case receipt
    /// Something to read, watch or play.
    case content
    /// An App Store account that pays.
    case payer
}

/// The compile-time mark of a ``NameRole``.
public protocol IdentifierRole: Sendable {
    /// The table that names of this role live in.
    static var role: NameRole { get }
}

/// An opaque name of one role: never ordered, never parsed, never shortened (event-log.md, 1).
public struct Identifier<Role: IdentifierRole, S: Spelling>: Hashable, Sendable {
    /// The name as this spelling holds it.
    public let name: S.Name

    /// An identifier of that name.
    @inlinable
    public init(_ name: S.Name) { self.name = name }

    /// Whether two identifiers of one role are the same name.
    @inlinable
    public static func == (left: Identifier, right: Identifier) -> Bool { left.name == right.name }

    /// Feeds the name to a hasher.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Identifier: ExpressibleByStringLiteral, ExpressibleByUnicodeScalarLiteral,
    ExpressibleByExtendedGraphemeClusterLiteral
where S.Name: ExpressibleByStringLiteral, S.Name.StringLiteralType == String {
    /// An identifier written out in source code.
    public init(stringLiteral value: String) { self.init(S.Name(stringLiteral: value)) }
}

extension Identifier: CustomStringConvertible where S == Written {
    /// The name itself.
    public var description: String { name }
}

extension Identifier where S == Interned {
    /// The handle as an array index: dense within the role.
    @inlinable
    public var index: Int { name.index }
}

/// The roles of ``Identifier``.
public enum Roles {
    /// A transaction, or the original of one.
    public enum Transaction: IdentifierRole {
        /// The table of these names.
        public static var role: NameRole { .transaction }
    }
    /// A payment object.
    public enum Payment: IdentifierRole {
        /// The table of these names.
        public static var role: NameRole { .payment }
    }
    /// The app's own user.
    public enum Account: IdentifierRole {
        /// The table of these names.
        public static var role: NameRole { .account }
    }
    /// An installation.
    public enum Device: IdentifierRole {
        /// The table of these names.
        public static var role: NameRole { .device }
    }
    /// A product.
    public enum Product: IdentifierRole {
        /// The table of these names.
        public static var role: NameRole { .product }
    }
    /// A subscription group.
    public enum Group: IdentifierRole {
        /// The table of these names.
        public static var role: NameRole { .group }
    }
    /// A download.
    public enum Download: IdentifierRole {
        /// The table of these names.
        public static var role: NameRole { .download }
    }
    /// A notification.
    public enum Notification: IdentifierRole {
        /// The table of these names.
        public static var role: NameRole { .notification }
    }
    /// A snapshot of a receipt.
    public enum Receipt: IdentifierRole {
        /// The table of these names.
        public static var role: NameRole { .receipt }
    }
    /// A piece of content.
    public enum Content: IdentifierRole {
        /// The table of these names.
        public static var role: NameRole { .content }
    }
    /// An App Store account.
    public enum Payer: IdentifierRole {
        /// The table of these names.
        public static var role: NameRole { .payer }
    }
}

/// The App Store's identifier of one transaction, or of the original that a line is keyed by.
public typealias TransactionID<S: Spelling> = Identifier<Roles.Transaction, S>
/// The recorder's own key of one payment object (G3.1).
public typealias PaymentID<S: Spelling> = Identifier<Roles.Payment, S>
/// The app's own user, opaque (G3.4).
public typealias AccountID<S: Spelling> = Identifier<Roles.Account, S>
/// The installation that recorded an event.
public typealias DeviceID<S: Spelling> = Identifier<Roles.Device, S>
/// A product identifier (G2.1).
public typealias ProductID<S: Spelling> = Identifier<Roles.Product, S>
/// A subscription group (G6.5).
public typealias GroupID<S: Spelling> = Identifier<Roles.Group, S>
/// One download of a transaction's hosted content (G4.16).
public typealias DownloadID<S: Spelling> = Identifier<Roles.Download, S>
/// A notification of the App Store (G7).
public typealias NotificationID<S: Spelling> = Identifier<Roles.Notification, S>
/// One snapshot of a receipt (G8.2).
public typealias ReceiptID<S: Spelling> = Identifier<Roles.Receipt, S>
/// A piece of content: an issue, an episode (G6.3).
public typealias ContentID<S: Spelling> = Identifier<Roles.Content, S>
/// The App Store account that pays, where it is known (G3.5).
public typealias PayerID<S: Spelling> = Identifier<Roles.Payer, S>
