import PurchaseEvents

/// The receipts of an import that name no account: they may be of different users, whom a log
/// without accounts doesn't tell apart.
///
/// Two receipts of one user mostly have a purchase in common: subscriptions and what isn't consumed
/// stay in them for ever.
struct NamelessReceipts {
    private var first: ImportPlace?
    /// The lines of all receipts so far.
    private var lines: Set<String> = []

    /// Takes in what a source states: the place of the first receipt, where it is a receipt that
    /// has no purchase in common with any of those before it.
    mutating func stranger(_ source: StatedSource) -> ImportPlace? {
        let own = Set(source.facts.compactMap(NamelessReceipts.line))
        guard !own.isEmpty else { return nil }
        let isStranger = !lines.isEmpty && lines.isDisjoint(with: own)
        lines.formUnion(own)
        first = first ?? source.place
        return isStranger ? first : nil
    }

    /// The line of a row of a receipt that names no account.
    private static func line(_ stated: StatedFact) -> String? {
        guard case .receiptListed(let row) = stated.fact, row.receipt != nil,
            stated.account == nil
        else { return nil }
        return (row.original ?? row.transaction).name
    }
}
