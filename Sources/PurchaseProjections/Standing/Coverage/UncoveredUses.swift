import PurchaseEvents

/// Uses that no access allows yet; a later statement may, so they wait until the end of the log.
struct UncoveredUses: Snapshotted {
    private(set) var uses: [Use] = []
    private var limit = 4_096

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&uses).visit(&limit) }

    /// Keeps a use, unless it is plainly covered.
    ///
    /// Now and then drops the uses that have become covered, so that memory stays proportional to
    /// the log's purchases.
    mutating func keep(_ use: Use, _ facts: Facts, _ grants: GrantHistory? = nil) {
        guard !facts.isPlainlyCovered(use) else { return }
        uses.append(use)
        guard uses.count >= limit else { return }
        let coverages = facts.coverages(of: uses, grants)
        uses = zip(uses, coverages).filter { !$0.1.isCovered }.map(\.0)
        // Answering takes time in proportion to the known transactions, so wait for as many uses.
        limit = max(4_096, uses.count * 2, facts.transactionCount)
    }
}
