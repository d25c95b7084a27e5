import PurchaseEvents

/// The facts that a log states about one product (G2.2).
public struct ProductFacts: BitwiseCopyable, Sendable {
    /// The kind in the latest `catalog.listed`, and the kind in receipt rows and renewals.
    package var listedKind: ProductKind?
    var statedKindRegister = Register<ProductKind>()
    /// The group in the latest `catalog.listed` that names one, and the group in rows and renewals.
    package var listedGroup: GroupHandle?
    var statedGroupRegister = Register<GroupHandle>()
    /// Whether a statement gives a purchase of the product an end, as only a subscription has.
    var hasEnds = false
    /// The kind of the product: from the latest `catalog.listed`, otherwise from the first row or
    /// renewal that states it; without either, a product with end dates is auto-renewable.
    public var kind: ProductKind? { saidKind ?? (hasEnds ? .autoRenewable : nil) }
    /// The kind that a line says; `nil` where only an end date tells it.
    var saidKind: ProductKind? { listedKind ?? statedKindRegister.value }
    /// The subscription group, found in the same order as ``kind``.
    public var group: GroupHandle? { listedGroup ?? statedGroupRegister.value }
    /// The product's level in its group; 1 is the highest.
    public var level: Int64?
    /// Whether Apple hosts content for the product; `nil` if not stated.
    public var hosted: Bool?
    /// The lines of the latest `catalog.listed` and `catalog.invalid` that changed something; 0 if
    /// there is none.
    ///
    /// A repeated answer keeps the first one's line, so a part of a log needs only the answers that
    /// change something.
    public private(set) var listedLine: LineNumber = 0, invalidLine: LineNumber = 0

    mutating func list(_ listed: CatalogListed<Interned>, on line: LineNumber) {
        let isNew =
            listedLine <= invalidLine || listed.kind != listedKind
            || listed.group != nil && listed.group != listedGroup
            || listed.level != nil && listed.level != level
            || listed.hosted != nil && listed.hosted != hosted
        guard isNew else { return }
        listedLine = line
        listedKind = listed.kind
        listedGroup = listed.group ?? listedGroup
        level = listed.level ?? level
        hosted = listed.hosted ?? hosted
    }

    mutating func refuse(on line: LineNumber) {
        if invalidLine <= listedLine { invalidLine = line }
    }
}
