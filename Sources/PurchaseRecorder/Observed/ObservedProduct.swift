import PurchaseEvents

/// A product on sale: an `SKProduct`, or a test's own (G2.2).
public protocol ObservedProduct {
    /// The identifier of the product.
    var observedProduct: String { get }
    /// The kind, if the store states it, as StoreKit 2 does (G1.1).
    var observedKind: ProductKind? { get }
    /// The store's own word for the kind, such as `Consumable`; `nil` if it gives none.
    var observedKindWord: String? { get }
    /// The price of one unit, in thousandths of the currency's unit; `nil` if a log can't hold it.
    var observedPrice: Int64? { get }
    /// The currency code, such as `EUR` (G2.4).
    var observedCurrency: String? { get }
    /// The subscription group; `nil` for other kinds.
    var observedGroup: String? { get }
    /// The length of a period, such as `P1M`; `nil` for other kinds.
    var observedPeriod: String? { get }
    /// Whether Apple hosts content for the product (G4.15).
    var observedIsHosted: Bool { get }
    /// Whether the product can be shared with the family; `nil` if unknown.
    var observedIsShareable: Bool? { get }
}

extension ObservedProduct {
    /// `nil`, because StoreKit 1 doesn't state the kind.
    public var observedKind: ProductKind? { nil }
    /// `nil`, because StoreKit 1 has no word for the kind.
    public var observedKindWord: String? { nil }

    /// The listing to record for the product; `nil` if neither the store nor the settings state its
    /// kind.
    func listing(_ kinds: [String: ProductKind]) -> CatalogListed<Written>? {
        let isSubscription = observedGroup != nil
        guard
            let kind = observedKind ?? kinds[observedProduct]
                ?? (isSubscription ? .autoRenewable : nil)
        else { return nil }
        return CatalogListed(
            product: ProductID(observedProduct), kind: kind,
            group: observedGroup.map { GroupID($0) }, period: observedPeriod,
            price: money == nil ? nil : observedPrice, currency: money?.currency,
            hosted: observedIsHosted ? true : nil, family: observedIsShareable)
    }

    /// The price of one unit; `nil` if a log can't hold the amount or the currency.
    var money: Money? {
        guard let price = observedPrice, price >= 0,
            let currency = observedCurrency.flatMap({ Currency(code: $0) })
        else { return nil }
        return Money(thousandths: price, currency: currency)
    }
}

extension Money {
    /// The price of several units; `nil` if a log can't hold it.
    func times(_ quantity: Int) -> Money? {
        let (total, overflow) = thousandths.multipliedReportingOverflow(by: Int64(quantity))
        guard !overflow, total <= 1 << 53 - 1 else { return nil }
        return Money(thousandths: total, currency: currency)
    }
}

/// The units of a subscription period; raw values as in `SKProduct.PeriodUnit`.
public enum ObservedPeriodUnit: Int, CaseIterable, Hashable, Sendable {
    /// Days.
    case day
    /// Weeks.
    case week
    /// Months.
    case month
    /// Years.
    case year

    /// The period as an ISO 8601 duration, such as `P3M`.
    public func duration(_ count: Int) -> String {
        let letter =
            switch self {
            case .day: "D"
            case .week: "W"
            case .month: "M"
            case .year: "Y"
            }
        return "P\(count)\(letter)"
    }
}
