import PurchaseEvents

/// The content published by an instant, sorted so that a period finds the content it opens (G6.3).
struct PublishedContent {
    /// The readers of content: subscribers of a product, of a group, or anyone.
    private enum Readers: Hashable {
        case product(ProductHandle)
        case group(GroupHandle)
        case any
    }

    fileprivate struct Item {
        var publishedAt: Timestamp
        var content: ContentHandle
    }

    private var contents: [Readers: [Item]] = [:]

    init(_ facts: Facts, asOf instant: Timestamp) {
        for (content, published) in facts.publishedContents where published.publishedAt <= instant {
            let readers: Readers =
                if let product = published.product {
                    .product(product)
                } else if let group = published.group {
                    .group(group)
                } else {
                    .any
                }
            contents[readers, default: []].append(
                Item(publishedAt: published.publishedAt, content: content))
        }
        for readers in contents.keys { contents[readers]?.sort { $0.publishedAt < $1.publishedAt } }
    }

    /// The content that a subscription's periods opened, sorted by name bytes: published during a
    /// period, or the newest of its series when one started.
    ///
    /// A refunded or revoked period opens nothing (G6.9), and neither does one that ends before it
    /// starts.
    func readable(in periods: [Period], _ facts: Facts) -> [ContentHandle] {
        guard !contents.isEmpty else { return [] }
        var ranges: [Readers: [Range<Int>]] = [:]
        for period in periods where period.start < period.end {
            guard period.ended == nil || period.ended == .upgraded else { continue }
            var series: [Readers] = [.any]
            if let product = period.product { series.append(.product(product)) }
            if let group = facts.group(of: period) { series.append(.group(group)) }
            for readers in series {
                guard let items = contents[readers] else { continue }
                let within = items.lowerBound { $0.publishedAt >= period.start }
                let end = items.lowerBound { $0.publishedAt >= period.accessEnd }
                if within < end { ranges[readers, default: []].append(within..<end) }
                guard let newest = items.newest(at: period.start) else { continue }
                let first = items.lowerBound { $0.publishedAt >= newest }
                let last = items.lowerBound { $0.publishedAt > newest }
                if first < last { ranges[readers, default: []].append(first..<last) }
            }
        }
        var readable: [ContentHandle] = []
        for (readers, ranges) in ranges {
            guard let items = contents[readers] else { continue }
            var next = 0
            for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
                for index in max(next, range.lowerBound)..<max(next, range.upperBound) {
                    readable.append(items[index].content)
                }
                next = max(next, range.upperBound)
            }
        }
        return readable.sorted { facts.names.precedes($0, $1) }
    }
}

extension [PublishedContent.Item] {
    /// The date of the newest content at an instant; `nil` if there is none.
    fileprivate func newest(at instant: Timestamp) -> Timestamp? {
        let after = lowerBound { $0.publishedAt > instant }
        return after > 0 ? self[after - 1].publishedAt : nil
    }
}
