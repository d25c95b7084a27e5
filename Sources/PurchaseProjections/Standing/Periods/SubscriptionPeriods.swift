import PurchaseEvents

/// The periods of a subscription, searched by their starts.
struct SubscriptionPeriods {
    /// By start.
    private let periods: [Period]
    /// The starts of a product's periods, and the greatest end of the periods up to each.
    private var reaches: [ProductHandle: [(start: Timestamp, end: Timestamp)]] = [:]

    init(_ periods: [Period]) {
        self.periods = periods.sorted { $0.start < $1.start }
        for period in self.periods {
            guard let product = period.product else { continue }
            let end = max(period.end, reaches[product]?.last?.end ?? period.end)
            reaches[product, default: []].append((period.start, end))
        }
    }

    func first(after instant: Timestamp) -> Period? {
        let place = periods.lowerBound { $0.start > instant }
        return place < periods.count ? periods[place] : nil
    }

    func last(by instant: Timestamp) -> Period? {
        let place = periods.lowerBound { $0.start > instant }
        return place > 0 ? periods[place - 1] : nil
    }

    /// The greatest end of the periods of a product that start by an instant.
    func reach(of product: ProductHandle, startedBy instant: Timestamp) -> Timestamp? {
        guard let reaches = reaches[product] else { return nil }
        let place = reaches.lowerBound { $0.start > instant }
        return place > 0 ? reaches[place - 1].end : nil
    }
}
