// swift-format-ignore-file

import Foundation

open class SKProduct: NSObject {
    public enum PeriodUnit: UInt { case day, week, month, year }

    open var productIdentifier: String { "" }
    open var price: NSDecimalNumber { 0 }
    open var priceLocale: Locale { Locale(identifier: "en_US") }
    open var isDownloadable: Bool { false }
    open var isFamilyShareable: Bool { false }
    open var subscriptionGroupIdentifier: String? { nil }
    open var subscriptionPeriod: SKProductSubscriptionPeriod? { nil }
}

open class SKProductSubscriptionPeriod: NSObject {
    open var numberOfUnits: Int { 0 }
    open var unit: SKProduct.PeriodUnit { .day }
}

open class SKRequest: NSObject {
    open weak var delegate: (any SKRequestDelegate)? {
        get { nil }
        set {}
    }
    open func start() {}
    open func cancel() {}
}

public protocol SKRequestDelegate: NSObjectProtocol {
    func requestDidFinish(_ request: SKRequest)
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

open class SKProductsResponse: NSObject {
    open var products: [SKProduct] { [] }
    open var invalidProductIdentifiers: [String] { [] }
}

public protocol SKProductsRequestDelegate: SKRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}

open class SKProductsRequest: SKRequest {
    public convenience init(productIdentifiers: Set<String>) { self.init() }
}

open class SKReceiptRefreshRequest: SKRequest {
    public convenience init(receiptProperties properties: [String: Any]?) { self.init() }
}

extension Bundle {
    /// Foundation declares this property on Apple platforms.
    public var appStoreReceiptURL: URL? { nil }
}
