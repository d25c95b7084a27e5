// swift-format-ignore-file

// Names and signatures of Apple's StoreKit, only for the type checker: nothing here has any effect,
// and no product contains it. See `check`.

@_exported import Foundation

open class SKPayment: NSObject {
    public convenience init(product: SKProduct) { self.init() }
    open var productIdentifier: String { "" }
    open var quantity: Int { 1 }
    open var applicationUsername: String? { nil }
    open var paymentDiscount: SKPaymentDiscount? { nil }
}

open class SKMutablePayment: SKPayment {
    open override var quantity: Int {
        get { 1 }
        set {}
    }
    open override var applicationUsername: String? {
        get { nil }
        set {}
    }
}

open class SKPaymentDiscount: NSObject {}

public enum SKPaymentTransactionState: Int {
    case purchasing, purchased, failed, restored, deferred
}

open class SKPaymentTransaction: NSObject {
    open var error: (any Error)? { nil }
    open var original: SKPaymentTransaction? { nil }
    open var payment: SKPayment { SKPayment() }
    open var downloads: [SKDownload] { [] }
    open var transactionDate: Date? { nil }
    open var transactionIdentifier: String? { nil }
    open var transactionState: SKPaymentTransactionState { .purchasing }
}

public enum SKDownloadState: Int {
    case waiting, active, paused, finished, failed, cancelled
}

open class SKDownload: NSObject {
    open var state: SKDownloadState { .waiting }
    open var expectedContentLength: Int64 { 0 }
    open var contentIdentifier: String { "" }
    open var contentURL: URL? { nil }
    open var error: (any Error)? { nil }
    open var progress: Float { 0 }
    open var transaction: SKPaymentTransaction { SKPaymentTransaction() }
}

open class SKPaymentQueue: NSObject {
    open class func `default`() -> SKPaymentQueue { SKPaymentQueue() }
    open class func canMakePayments() -> Bool { false }
    open var transactions: [SKPaymentTransaction] { [] }
    open func add(_ payment: SKPayment) {}
    open func add(_ observer: any SKPaymentTransactionObserver) {}
    open func remove(_ observer: any SKPaymentTransactionObserver) {}
    open func finishTransaction(_ transaction: SKPaymentTransaction) {}
    open func restoreCompletedTransactions() {}
    open func restoreCompletedTransactions(withApplicationUsername username: String?) {}
    open func start(_ downloads: [SKDownload]) {}
    open func pause(_ downloads: [SKDownload]) {}
    open func resume(_ downloads: [SKDownload]) {}
    open func cancel(_ downloads: [SKDownload]) {}
}

public protocol SKPaymentTransactionObserver: NSObjectProtocol {
    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])
    func paymentQueue(
        _ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction])
    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error)
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue)
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload])
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool
    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers products: [String])
}
