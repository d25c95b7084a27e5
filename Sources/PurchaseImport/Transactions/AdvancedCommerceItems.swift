import PurchaseEvents

/// The items of a purchase by the Advanced Commerce API (appstore.md, 2.10).
///
/// The log has no items: a transaction counts as refunded once each of its items is revoked or
/// refunded in full.
struct AdvancedCommerceItems {
    /// When the last item was revoked or refunded in full; `nil` if some item still stands.
    let refundedAt: Timestamp?

    /// Reads the items of a signed transaction; adds a note if only some of them are gone.
    init(_ transaction: RecordReader) {
        guard let info = transaction.record("advancedCommerceInfo"),
            info.value("items")?.elements?.isEmpty == false
        else {
            refundedAt = nil
            return
        }
        let items = info.records("items")
        let ends = items.map(AdvancedCommerceItems.end)
        let gone = ends.compactMap(\.self)
        refundedAt = gone.count == items.count ? gone.max() : nil
        let touched = items.filter { item in
            item.value("revocationDate") != nil || item.value("refunds")?.elements?.isEmpty == false
        }
        guard refundedAt == nil, !touched.isEmpty else { return }
        let names = touched.prefix(4).map { item in
            "`\(EscapedText.escape(item.name("SKU") ?? "?"))`"
        }
        info.remark(
            .note, "items",
            "\(gone.count) of \(items.count) items are revoked or refunded in full, and refunds "
                + "concern \(names.joined(separator: ", "))"
                + (touched.count > 4 ? " and more; " : "; ")
                + "the log has no items, so the transaction stands")
    }

    private static func end(of item: RecordReader) -> Timestamp? {
        if let revoked = item.date("revocationDate") { return revoked }
        let whole = item.records("refunds").filter { refund in
            refund.text("refundType")?.uppercased() == "FULL"
        }
        return whole.compactMap { $0.date("refundDate") }.max()
    }
}
