import PurchaseEvents

/// The products that an account's restores bring back, or miss, in one environment.
///
/// A product that is missing is not looked at again for each restore: the number of restores since
/// it went missing says how many missed it.
struct RestoredProducts: Sendable, SnapshottedElement {
    /// What the first restore that missed a product saw.
    struct FirstMiss: Sendable {
        /// The line of the restore, and that of its request; 0 if there is none.
        var line: LineNumber, requestedLine: LineNumber
        /// The instant at which the restore completed.
        var at: Timestamp
    }

    /// A product, its records and the restores that missed it.
    struct Product: Sendable, SnapshottedElement {
        /// The numbers of records that are granted or pending, and of records that are neither.
        fileprivate var fine = 0, wanting = 0
        fileprivate var isUnlocked = false
        /// Records that were wanting before the first restore that missed the product; after it,
        /// those that it missed.
        fileprivate(set) var candidates: [UInt32] = []
        /// The number of restores when the product went missing; `nil` if it isn't missing.
        fileprivate var since: Int?
        /// The first restore that missed the product; `nil` if none did.
        fileprivate(set) var first: FirstMiss?
        /// The number of restores that missed the product, and the line of the last.
        fileprivate(set) var missed = 0
        fileprivate(set) var lastLine: LineNumber = 0

        mutating func visitFields(_ visitor: FieldVisitor) {
            visitor.visit(&fine).visit(&wanting).visit(&isUnlocked).visit(&candidates).visit(&since)
            visitor.visit(&first).visit(&missed).visit(&lastLine)
        }

        fileprivate var isMissing: Bool { wanting > 0 && fine == 0 && !isUnlocked }
    }

    private(set) var products: [ProductHandle: Product] = [:]
    /// The number of judged restores without a selection, and the line of the latest.
    private var restores = 0
    private var latestLine: LineNumber = 0
    private var missing = 0
    /// Products that went missing and that no restore has missed yet.
    private var unreported: [ProductHandle] = []

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&products).visit(&restores).visit(&latestLine).visit(&missing)
        visitor.visit(&unreported)
    }

    /// Counts a record of a product in, or out with the count -1.
    mutating func count(
        _ record: UInt32, of product: ProductHandle, isFine: Bool, isUnlocked: Bool, _ count: Int
    ) {
        change(product) { known in
            known.isUnlocked = isUnlocked
            if isFine { known.fine += count } else { known.wanting += count }
            if !isFine, count > 0, known.first == nil { known.candidates.append(record) }
        }
    }

    mutating func unlock(_ product: ProductHandle, _ isUnlocked: Bool) {
        change(product) { $0.isUnlocked = isUnlocked }
    }

    private mutating func change(_ product: ProductHandle, _ change: (inout Product) -> Void) {
        var known = products.removeValue(forKey: product) ?? Product()
        change(&known)
        if known.isMissing, known.since == nil {
            known.since = restores
            missing += 1
            if known.first == nil { unreported.append(product) }
        } else if !known.isMissing, let since = known.since {
            known.since = nil
            missing -= 1
            known.add(restores - since, latestLine)
        }
        products[product] = known
    }

    /// Whether a restore misses any product.
    ///
    /// - Parameter selected: The products that the restore selects; empty means all.
    func isMissing(among selected: Set<ProductHandle>) -> Bool {
        selected.isEmpty ? missing > 0 : selected.contains { products[$0]?.since != nil }
    }

    /// Records that a restore misses the missing products.
    ///
    /// - Parameters:
    ///   - at: The instant at which the restore completed.
    ///   - selected: The products that the restore selects; empty means all.
    ///   - isWanting: Whether the record with an index is neither granted nor pending.
    mutating func restore(
        _ line: LineNumber, requested: LineNumber, at: Timestamp, selected: Set<ProductHandle>,
        isWanting: (UInt32) -> Bool
    ) {
        func miss(_ product: ProductHandle, _ count: Int) {
            guard var known = products[product], known.since != nil else { return }
            let wanting = known.first == nil ? Set(known.candidates.filter(isWanting)) : []
            if !wanting.isEmpty {
                known.candidates = wanting.sorted()
                known.first = FirstMiss(line: line, requestedLine: requested, at: at)
            }
            known.add(count, line)
            products[product] = known
        }
        guard selected.isEmpty else {
            for product in selected { miss(product, 1) }
            return
        }
        for product in unreported { miss(product, 0) }
        unreported = []
        restores += 1
        latestLine = line
    }

    mutating func end() {
        for (product, known) in products {
            if let since = known.since { products[product]?.add(restores - since, latestLine) }
        }
    }
}

extension RestoredProducts.Product {
    fileprivate mutating func add(_ count: Int, _ line: LineNumber) {
        guard count > 0 else { return }
        missed += count
        lastLine = max(lastLine, line)
    }
}
