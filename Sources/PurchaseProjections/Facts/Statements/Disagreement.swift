import PurchaseEvents

/// What the statements about a transaction said before one that says something else.
struct Disagreement: Sendable {
    /// The purchase date, end and kind that stood before, where the statement gives another.
    var purchasedAt: Timestamp?
    var expiresAt: Timestamp?
    var kind: ProductKind?
    /// Whether the statement has a greater version than what stood before.
    var isLater: Bool

    /// The longest time by which two dates of one transaction may differ, in milliseconds: a
    /// receipt rounds to seconds.
    static let tolerance: Int64 = 5_000
}

extension Facts {
    /// How the statement on the latest line disagrees with those before it; `nil` if it does not.
    var disagreement: Disagreement? { record.pointee.disagreement }

    /// Compares a statement with what is known of its transaction; call it before the facts take
    /// the statement.
    ///
    /// A restore states dates of its own (G8.8), and test statements say nothing of a production
    /// transaction (G9.3).
    func disagreement(
        _ transaction: TransactionID<Interned>, purchasedAt: Timestamp, expiresAt: Timestamp?,
        kind: ProductKind?, in environment: Environment, _ version: VersionID
    ) -> Disagreement? {
        let known = self[transaction]
        guard known.attestsPeriod, known.isStated(in: environment) else { return nil }
        func differs(_ old: Timestamp?, _ new: Timestamp?) -> Bool {
            guard let old, let new, old != new else { return false }
            let gap = old.distance(to: new).magnitude
            return gap > UInt64(Disagreement.tolerance)
        }
        let isDate =
            !known.marks.contains(.isDatedByRestore) && differs(known.purchasedAt, purchasedAt)
        let isEnd = differs(known.expiresAt, expiresAt)
        let isKind = kind != nil && known.statedKind != nil && kind != known.statedKind
        guard isDate || isEnd || isKind else { return nil }
        let field: StatedField = isEnd ? .expiresAt : isDate ? .purchasedAt : .kind
        return Disagreement(
            purchasedAt: isDate ? known.purchasedAt : nil,
            expiresAt: isEnd ? known.expiresAt : nil, kind: isKind ? known.statedKind : nil,
            isLater: versions.precedes(known.version(of: field), version))
    }
}
