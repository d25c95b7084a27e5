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

extension RandomAccessCollection where Index == Int {
    /// The first index whose element meets a condition that all later ones meet too; the end
    /// where none does.
    func lowerBound(where condition: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
