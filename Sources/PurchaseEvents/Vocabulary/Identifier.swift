/// What a name stands for; each role has a table of names of its own.
public enum NameRole: UInt8, CaseIterable, Sendable {
    case transaction, payment, account, device, product, group, download, notification, receipt
    case content, payer, error
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
where S == Written {
    /// An identifier written out in source code.
    public init(stringLiteral value: String) { self.init(value) }
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
    public enum Transaction: IdentifierRole { public static var role: NameRole { .transaction } }
    public enum Payment: IdentifierRole { public static var role: NameRole { .payment } }
    public enum Account: IdentifierRole { public static var role: NameRole { .account } }
    public enum Device: IdentifierRole { public static var role: NameRole { .device } }
    public enum Product: IdentifierRole { public static var role: NameRole { .product } }
    public enum Group: IdentifierRole { public static var role: NameRole { .group } }
    public enum Download: IdentifierRole { public static var role: NameRole { .download } }
    public enum Notification: IdentifierRole { public static var role: NameRole { .notification } }
    public enum Receipt: IdentifierRole { public static var role: NameRole { .receipt } }
    public enum Content: IdentifierRole { public static var role: NameRole { .content } }
    public enum Payer: IdentifierRole { public static var role: NameRole { .payer } }
    public enum Error: IdentifierRole { public static var role: NameRole { .error } }
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
/// A word for why something failed: one of ``KnownError``, or another.
public typealias ErrorWord<S: Spelling> = Identifier<Roles.Error, S>
