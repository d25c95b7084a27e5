import PurchaseEvents

/// Detects receipts without an account that may belong to different users, because a log without
/// accounts can't tell users apart.
///
/// Two receipts of one user usually share a purchase: subscriptions and non-consumables stay in
/// receipts forever.
struct NamelessReceipts {
    private var first: ImportPlace?
    /// The original transactions of all receipts so far.
    private var lines: Set<String> = []
    private var hasRemarked = false

    /// Adds a source, and a remark on the first receipt that shares no purchase with earlier
    /// receipts.
    mutating func take(_ source: StatedSource, _ remarks: inout LimitedRemarks) {
        let own = Set(source.facts.compactMap(NamelessReceipts.line))
        guard !own.isEmpty, !hasRemarked else { return }
        let isStranger = !lines.isEmpty && lines.isDisjoint(with: own)
        lines.formUnion(own)
        if isStranger, let first {
            hasRemarked = true
            lines = []
            remarks.add(
                .note, at: source.place,
                "neither this receipt nor the one at \(EscapedText.escape(first.file)):"
                    + "\(first.line) names an account, and they share no purchase: if they belong "
                    + "to different users, the log can't tell them apart")
        }
        first = first ?? source.place
    }

    /// The original transaction of a receipt's row without an account; otherwise `nil`.
    private static func line(_ stated: StatedFact) -> String? {
        guard case .receiptListed(let row) = stated.fact, row.receipt != nil,
            stated.account == nil
        else { return nil }
        return (row.original ?? row.transaction).name
    }
}
