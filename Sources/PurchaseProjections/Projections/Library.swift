import PurchaseEvents

/// What was published by an instant, sorted so that a period finds its own (G6.3).
struct Library {
    /// Whose subscribers may read it: a product's, a group's, or any, where nothing says.
    private enum Readers: Hashable {
        case product(ProductID<Interned>)
        case group(GroupID<Interned>)
        case any
    }

    private struct Item {
        var publishedAt: Timestamp
        var content: ContentID<Interned>
    }

    private var shelves: [Readers: [Item]] = [:]

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
            shelves[readers, default: []].append(
                Item(publishedAt: published.publishedAt, content: content))
        }
        for readers in shelves.keys {
            shelves[readers]?.sort { $0.publishedAt < $1.publishedAt }
        }
    }

    /// What the periods of a line let their account read, by the bytes of its names: what was
    /// published during one, or was the newest at its start. Periods that count as never made let
    /// it read nothing (G6.9).
    func readable(in periods: [Period], _ facts: Facts) -> [ContentID<Interned>] {
        guard !shelves.isEmpty else { return [] }
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

    /// Adds a shelf from the newest at the start of a period to the end of its access.
    private func add(_ readers: Readers, to own: inout [ArraySlice<Item>], _ period: Period) {
        guard let shelf = shelves[readers] else { return }
        let after = index(in: shelf) { $0 > period.start }
        let newest = after > 0 ? shelf[after - 1].publishedAt : period.start
        let first = index(in: shelf) { $0 >= newest }
        let end = index(in: shelf) { $0 >= period.accessEnd }
        own.append(shelf[first..<max(first, max(after, end))])
    }

    /// The first place whose date fulfils what all later ones do.
    private func index(in shelf: [Item], where holds: (Timestamp) -> Bool) -> Int {
        var (low, high) = (0, shelf.count)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(shelf[middle].publishedAt) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Facts {
    /// The group that a period's product belongs to, where any fact says.
    func group(of period: Period) -> GroupID<Interned>? {
        self[period.transaction].group ?? period.product.flatMap { self[$0].group }
    }
}
