import PurchaseEvents

/// Publication dates by series: the content of one product or of one group.
struct Publications: Sendable {
    private struct Series: Hashable {
        var product: ProductID<Interned>?
        var group: GroupID<Interned>?
    }

    private var dates: [Series: [Timestamp]] = [:]

    /// Adds a publication to its series.
    mutating func add(_ content: ContentPublished<Interned>) {
        let series = Series(product: content.product, group: content.group)
        let index = upperBound(of: content.publishedAt, in: dates[series] ?? [])
        dates[series, default: []].insert(content.publishedAt, at: index)
    }

    /// When the next content of the same series was published; `nil` if there is none.
    ///
    /// Until then, the content is the newest of its series.
    func next(after content: ContentFacts) -> Timestamp? {
        let series = dates[Series(product: content.product, group: content.group)] ?? []
        let index = upperBound(of: content.publishedAt, in: series)
        return index < series.count ? series[index] : nil
    }

    private func upperBound(of date: Timestamp, in dates: [Timestamp]) -> Int {
        dates.lowerBound { $0 > date }
    }
}
