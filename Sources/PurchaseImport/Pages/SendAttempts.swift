import PurchaseEvents

/// The App Store's attempts to send a notification (appstore.md, 2.2).
enum SendAttempts {
    /// Adds a note if every attempt failed: until the notification is imported from the history,
    /// its server can't know of it.
    static func check(_ item: RecordReader) {
        let attempts = item.records("sendAttempts")
        let results = attempts.compactMap { $0.text("sendAttemptResult") }
        guard let last = results.last, !results.contains("SUCCESS") else { return }
        item.remark(
            .note, "sendAttempts",
            "\(results.count == 1 ? "the only attempt" : "all \(results.count) attempts") to send "
                + "this notification failed; the last result is "
                + "`\(EscapedText.excerpt(of: last))`")
    }
}
