import PurchaseEvents

/// A statement about a transaction that says something else than those before it.
struct Disagreement: Sendable {
    /// What a statement says that all statements about a transaction should agree on.
    struct Values: Sendable {
        var purchasedAt: Timestamp?
        var expiresAt: Timestamp?
        var kind: ProductKind?
        /// Whether the statement itself says why its end moved.
        var isEnded = false
    }

    /// What stood before, only where the statement says something else, and what the statement
    /// says.
    var before: Values, said: Values
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
    /// Test statements say nothing of a production transaction (G9.3).
    func disagreement(
        _ transaction: TransactionHandle, _ said: Disagreement.Values,
        in environment: Environment, _ version: VersionID
    ) -> Disagreement? {
        let known = self[transaction]
        guard known.attestsPeriod, known.isStated(in: environment) else { return nil }
        func differs(_ old: Timestamp?, _ new: Timestamp?) -> Bool {
            guard let old, let new, old != new else { return false }
            return old.distance(to: new).magnitude > UInt64(Disagreement.tolerance)
        }
        let isDate =
            !known.flags.contains(.isDatedByRestore)
            && differs(known.purchasedAt, said.purchasedAt)
        let isEnd = differs(known.expiresAt, said.expiresAt)
        let isKind = said.kind != nil && known.statedKind != nil && said.kind != known.statedKind
        guard isDate || isEnd || isKind else { return nil }
        let field: StatedField = isEnd ? .expiresAt : isDate ? .purchasedAt : .kind
        let before = Disagreement.Values(
            purchasedAt: isDate ? known.purchasedAt : nil,
            expiresAt: isEnd ? known.expiresAt : nil, kind: isKind ? known.statedKind : nil)
        return Disagreement(
            before: before, said: said,
            isLater: versions.precedes(known.version(of: field), version))
    }
}
