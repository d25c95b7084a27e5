/// The kind of thing that a name identifies; each role has its own table of names.
public enum NameRole: UInt8, BitwiseCopyable, CaseIterable, Sendable {
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

/// A ``NameRole`` as a type.
public protocol IdentifierRole: Sendable {
    /// The role that selects the table of these names.
    static var role: NameRole { get }
}

/// An opaque name of one role, which is never ordered, parsed or shortened (event-log.md, 1).
public struct Identifier<Role: IdentifierRole, S: Spelling>: Hashable, Sendable {
    /// The name in this spelling.
    public let name: S.Name

    /// Creates an identifier from a name.
    @inlinable
    public init(_ name: S.Name) { self.name = name }

    /// Whether two identifiers of one role are the same name.
    @inlinable
    public static func == (left: Identifier, right: Identifier) -> Bool { left.name == right.name }

    /// Feeds the name to a hasher.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Identifier: BitwiseCopyable where S.Name: BitwiseCopyable {}

extension Identifier: ExpressibleByStringLiteral, ExpressibleByUnicodeScalarLiteral,
    ExpressibleByExtendedGraphemeClusterLiteral
where S.Name: ExpressibleByStringLiteral, S.Name.StringLiteralType == String {
    /// Creates an identifier from a string literal.
    public init(stringLiteral value: String) { self.init(S.Name(stringLiteral: value)) }
}

extension Identifier: CustomStringConvertible where S == Written {
    /// The name itself.
    public var description: String { name }
}

extension Identifier where S == Interned {
    /// The handle as an array index; indexes are dense within the role.
    @inlinable
    public var index: Int { name.index }
}

/// The roles of ``Identifier``.
public enum Roles {
    /// A transaction, including an original one.
    public enum Transaction: IdentifierRole {
        /// The role that selects the table of these names.
        public static var role: NameRole { .transaction }
    }
    /// A payment object.
    public enum Payment: IdentifierRole {
        /// The role that selects the table of these names.
        public static var role: NameRole { .payment }
    }
    /// The app's own user.
    public enum Account: IdentifierRole {
        /// The role that selects the table of these names.
        public static var role: NameRole { .account }
    }
    /// An installation.
    public enum Device: IdentifierRole {
        /// The role that selects the table of these names.
        public static var role: NameRole { .device }
    }
    /// A product.
    public enum Product: IdentifierRole {
        /// The role that selects the table of these names.
        public static var role: NameRole { .product }
    }
    /// A subscription group.
    public enum Group: IdentifierRole {
        /// The role that selects the table of these names.
        public static var role: NameRole { .group }
    }
    /// A download.
    public enum Download: IdentifierRole {
        /// The role that selects the table of these names.
        public static var role: NameRole { .download }
    }
    /// A notification.
    public enum Notification: IdentifierRole {
        /// The role that selects the table of these names.
        public static var role: NameRole { .notification }
    }
    /// A receipt snapshot.
    public enum Receipt: IdentifierRole {
        /// The role that selects the table of these names.
        public static var role: NameRole { .receipt }
    }
    /// A piece of content.
    public enum Content: IdentifierRole {
        /// The role that selects the table of these names.
        public static var role: NameRole { .content }
    }
    /// An App Store account.
    public enum Payer: IdentifierRole {
        /// The role that selects the table of these names.
        public static var role: NameRole { .payer }
    }
}

/// The App Store's identifier of a transaction, or of the original transaction that keys a
/// subscription.
public typealias TransactionID<S: Spelling> = Identifier<Roles.Transaction, S>
/// The recorder's own key for one payment object (G3.1).
public typealias PaymentID<S: Spelling> = Identifier<Roles.Payment, S>
/// The app's own user, an opaque name (G3.4).
public typealias AccountID<S: Spelling> = Identifier<Roles.Account, S>
/// The installation that recorded an event.
public typealias DeviceID<S: Spelling> = Identifier<Roles.Device, S>
/// A product identifier (G2.1).
public typealias ProductID<S: Spelling> = Identifier<Roles.Product, S>
/// A subscription group (G6.5).
public typealias GroupID<S: Spelling> = Identifier<Roles.Group, S>
/// One download of a transaction's hosted content (G4.16).
public typealias DownloadID<S: Spelling> = Identifier<Roles.Download, S>
/// An App Store notification (G7).
public typealias NotificationID<S: Spelling> = Identifier<Roles.Notification, S>
/// One receipt snapshot (G8.2).
public typealias ReceiptID<S: Spelling> = Identifier<Roles.Receipt, S>
/// A piece of content, such as an issue or an episode (G6.3).
public typealias ContentID<S: Spelling> = Identifier<Roles.Content, S>
/// The App Store account that pays, if known (G3.5).
public typealias PayerID<S: Spelling> = Identifier<Roles.Payer, S>
