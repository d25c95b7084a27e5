import PurchaseEvents

/// When contents were published, one list a series: what one product or one group may read.
struct Publications: Sendable {
    private struct Series: Hashable {
        var product: ProductID<Interned>?
        var group: GroupID<Interned>?
    }

    private var dates: [Series: [Timestamp]] = [:]

    /// Takes in a publication.
    mutating func add(_ content: ContentPublished<Interned>) {
        let series = Series(product: content.product, group: content.group)
        let index = upperBound(of: content.publishedAt, in: dates[series] ?? [])
        dates[series, default: []].insert(content.publishedAt, at: index)
    }

    /// When the next content of the same series was published; `nil` where none was.
    ///
    /// From its own publication until then a content is the newest.
    func next(after content: ContentFacts) -> Timestamp? {
        let series = dates[Series(product: content.product, group: content.group)] ?? []
        let index = upperBound(of: content.publishedAt, in: series)
        return index < series.count ? series[index] : nil
    }

    private func upperBound(of date: Timestamp, in dates: [Timestamp]) -> Int {
        dates.lowerBound { $0 > date }
    }
}
