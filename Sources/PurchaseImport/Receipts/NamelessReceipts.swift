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
    private var isSaid = false

    /// Takes in what a record states: a remark where it is the first receipt that has no purchase
    /// in common with any of those before it.
    mutating func take(_ source: StatedSource) -> LimitedRemarks {
        var remarks = LimitedRemarks()
        let own = Set(source.facts.compactMap(NamelessReceipts.line))
        guard !own.isEmpty, !isSaid else { return remarks }
        let isStranger = !lines.isEmpty && lines.isDisjoint(with: own)
        lines.formUnion(own)
        if isStranger, let first {
            isSaid = true
            lines = []
            remarks.add(.note) {
                ImportRemark(
                    level: .note, place: source.place,
                    message: "neither this receipt nor that at "
                        + "\(EscapedText.escape(first.file)):\(first.line) names an account, and "
                        + "they have no purchase in common: if they are of different users, the "
                        + "log doesn't tell them apart")
            }
        }
        first = first ?? source.place
        return remarks
    }

    /// The line of a row of a receipt that names no account.
    private static func line(_ stated: StatedFact) -> String? {
        guard case .receiptListed(let row) = stated.fact, row.receipt != nil,
            stated.account == nil
        else { return nil }
        return (row.original ?? row.transaction).name
    }
}
