import PurchaseProjections

/// A key of a row whose value differs between two versions of the row.
public struct RowChange: Hashable, Sendable {
    /// The key.
    public let key: String
    /// The value before and the value after; `nil` if the key is absent.
    public let before: RowValue?, after: RowValue?

    /// The keys that differ between two versions of a row, in the order of the row.
    ///
    /// - Parameters:
    ///   - before: The earlier version; `nil` if there was no row.
    ///   - after: The later version; `nil` if there is no row.
    public static func between(_ before: ShownRow?, _ after: ShownRow?) -> [RowChange] {
        let (old, new) = (before?.fields ?? [], after?.fields ?? [])
        var keys = new.map(\.key)
        for (index, field) in old.enumerated() where !keys.contains(field.key) {
            let next = old[(index + 1)...].first { keys.contains($0.key) }
            keys.insert(
                field.key,
                at: next.flatMap { next in keys.firstIndex { $0 == next.key } } ?? keys.count)
        }
        return keys.compactMap { key in
            let (was, becomes) = (before?[key], after?[key])
            return isSame(was, becomes) ? nil : RowChange(key: key, before: was, after: becomes)
        }
    }

    private static func isSame(_ left: RowValue?, _ right: RowValue?) -> Bool {
        guard left == right else { return false }
        guard let left, let right else { return true }
        return RowJSON.text(of: left).isSame(as: RowJSON.text(of: right))
    }
}
