import PurchaseEvents

/// A date of a receipt or a notification, as read from its text.
enum AppStoreDate: Hashable {
    case time(Timestamp)
    /// A date without a zone, or in a zone with unknown offsets: `… America/Los_Angeles`.
    case otherZone
    case unreadable

    private static let universal: Set<String> = ["Etc/GMT", "GMT", "Etc/UTC", "UTC", "Z"]

    /// Reads RFC 3339, `2020-11-25 08:31:02 Etc/GMT`, or milliseconds since 1970.
    ///
    /// Decimals of milliseconds are cut. iOS 6 style receipts write `expires_date` in milliseconds,
    /// such as `1606293062000`.
    init(_ text: String) {
        if let time = AppStoreDate.milliseconds(text) ?? Timestamp(text) {
            self = time.isWritable ? .time(time) : .unreadable
            return
        }
        let parts = text.split(separator: " ", maxSplits: 3)
        guard parts.count == 2 || parts.count == 3,
            let time = Timestamp("\(parts[0])T\(parts[1])Z")
        else {
            self = .unreadable
            return
        }
        let zone = parts.count == 3 ? String(parts[2]) : nil
        self = zone.map { AppStoreDate.universal.contains($0) } == true ? .time(time) : .otherZone
    }

    private static func milliseconds(_ text: String) -> Timestamp? {
        let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count <= 2, let value = Int64(whole),
            parts.count == 1 || parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Timestamp(milliseconds: value)
    }
}
