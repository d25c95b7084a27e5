// What readers of a log work with: an event as it is decoded, and its names.

/// An event of a log, whose names are handles of the log's ``NameTable``.
public typealias LogEvent = Event<Interned>
/// The handle of a transaction.
public typealias TransactionHandle = TransactionID<Interned>
/// The handle of a payment object.
public typealias PaymentHandle = PaymentID<Interned>
/// The handle of an account.
public typealias AccountHandle = AccountID<Interned>
/// The handle of an installation.
public typealias DeviceHandle = DeviceID<Interned>
/// The handle of a product.
public typealias ProductHandle = ProductID<Interned>
/// The handle of a subscription group.
public typealias GroupHandle = GroupID<Interned>
/// The handle of a download.
public typealias DownloadHandle = DownloadID<Interned>
/// The handle of a notification.
public typealias NotificationHandle = NotificationID<Interned>
/// The handle of a receipt snapshot.
public typealias ReceiptHandle = ReceiptID<Interned>
/// The handle of a piece of content.
public typealias ContentHandle = ContentID<Interned>
/// The handle of an App Store account that pays.
public typealias PayerHandle = PayerID<Interned>
