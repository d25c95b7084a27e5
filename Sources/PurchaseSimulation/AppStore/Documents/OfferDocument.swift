import PurchaseEvents

extension StoreTransaction {
    /// Adds the offer of the purchase: which one, how it is paid for, and how long it lasts
    /// (appstore.md, 2.3).
    ///
    /// The offers of the simulated store last for one period. An introductory offer has no
    /// identifier, and one for something bought once has no length.
    func addOffer(to json: inout JSONText) {
        guard let offer else { return }
        json.add("offerType", offer.number)
        if offer != .introductory {
            json.add(
                "offerIdentifier", "\(product).\(offer.rawValue).\(price == 0 ? "free" : "half")")
        }
        json.add("offerDiscountType", offerDiscountType)
        json.add("offerPeriod", offerPeriod)
    }

    private var offerPeriod: String? {
        isPeriod ? SimulatedProduct.all.first { $0.id.name == product }?.period : nil
    }

    /// A month at a lower price is paid as one goes, a year up front; `nil` without a price.
    private var offerDiscountType: String? {
        guard isPeriod else { return "ONE_TIME" }
        guard let price else { return nil }
        return price == 0 ? "FREE_TRIAL" : offerPeriod == "P1Y" ? "PAY_UP_FRONT" : "PAY_AS_YOU_GO"
    }
}

extension Offer {
    /// The number of the App Store.
    fileprivate var number: Int64 {
        switch self {
        case .introductory: 1
        case .promotional: 2
        case .code: 3
        case .winBack: 4
        case .retention: 5
        }
    }
}
