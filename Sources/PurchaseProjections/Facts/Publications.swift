import PurchaseEvents

/// Publication dates by series: the content of one product or of one group.
struct Publications: Sendable, Snapshotted {
    private struct Series: Hashable {
        var product: ProductHandle?
        var group: GroupHandle?
    }

    private var dates: [Series: SortedTimes] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&dates) }

    mutating func add(_ content: ContentPublished<Interned>) {
        let series = Series(product: content.product, group: content.group)
        dates[series, default: SortedTimes()].insert(content.publishedAt)
    }

    /// When the next content of the same series was published; `nil` if there is none.
    ///
    /// Until then, the content is the newest of its series.
    func next(after content: ContentFacts) -> Timestamp? {
        dates[Series(product: content.product, group: content.group)]?
            .first(after: content.publishedAt)
    }
}

/// Times in order, each once, in runs that are short enough to insert into.
private struct SortedTimes: Sendable, SnapshottedElement {
    private static let longest = 512
    /// The runs, none of them empty.
    private var runs: [[Timestamp]] = []

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&runs, empty: []) { visitor.visit(&$0) }
    }

    mutating func insert(_ time: Timestamp) {
        let place = max(runs.lowerBound { $0[0] > time } - 1, 0)
        guard !runs.isEmpty else { return runs = [[time]] }
        let index = runs[place].lowerBound { $0 >= time }
        if index < runs[place].count, runs[place][index] == time { return }
        runs[place].insert(time, at: index)
        guard runs[place].count > SortedTimes.longest else { return }
        let half = runs[place].count / 2
        runs.insert(Array(runs[place][half...]), at: place + 1)
        runs[place].removeLast(runs[place].count - half)
    }

    func first(after time: Timestamp) -> Timestamp? {
        let place = runs.lowerBound { $0[0] > time }
        if place > 0 {
            let run = runs[place - 1]
            let index = run.lowerBound { $0 > time }
            if index < run.count { return run[index] }
        }
        return place < runs.count ? runs[place][0] : nil
    }
}
