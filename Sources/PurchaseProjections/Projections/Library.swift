import PurchaseEvents

/// The content published by an instant, sorted so that a period finds the content it opens (G6.3).
struct Library {
    /// The readers of content: subscribers of a product, of a group, or anyone.
    private enum Readers: Hashable {
        case product(ProductID<Interned>)
        case group(GroupID<Interned>)
        case any
    }

    private struct Item {
        var publishedAt: Timestamp
        var content: ContentID<Interned>
    }

    private var contents: [Readers: [Item]] = [:]

    init(_ facts: Facts, asOf instant: Timestamp) {
        for (content, published) in facts.publishedContents
        where published.publishedAt <= instant {
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
        for readers in contents.keys {
            contents[readers]?.sort { $0.publishedAt < $1.publishedAt }
        }
    }

    /// The content that a line's periods opened, sorted by name bytes: published during a period,
    /// or the newest when one started.
    ///
    /// A refunded or revoked period opens nothing (G6.9).
    func readable(in periods: [Period], _ facts: Facts) -> [ContentID<Interned>] {
        guard !contents.isEmpty else { return [] }
        var readable: Set<ContentID<Interned>> = []
        for period in periods where period.ended == nil || period.ended == .upgraded {
            var own: [ArraySlice<Item>] = []
            if let product = period.product { add(.product(product), to: &own, period) }
            if let group = facts.group(of: period) { add(.group(group), to: &own, period) }
            add(.any, to: &own, period)
            let newest = own.compactMap { $0.first?.publishedAt }
                .filter { $0 <= period.start }.max()
            for item in own.joined()
            where item.publishedAt == newest || period.grants(at: item.publishedAt) {
                readable.insert(item.content)
            }
        }
        return readable.sorted { facts.names.precedes($0, $1) }
    }

    /// Adds a series' content, from the newest at a period's start to the end of access.
    private func add(_ readers: Readers, to own: inout [ArraySlice<Item>], _ period: Period) {
        guard let items = contents[readers] else { return }
        let after = items.lowerBound { $0.publishedAt > period.start }
        let newest = after > 0 ? items[after - 1].publishedAt : period.start
        let first = items.lowerBound { $0.publishedAt >= newest }
        let end = items.lowerBound { $0.publishedAt >= period.accessEnd }
        own.append(items[first..<max(first, max(after, end))])
    }
}
