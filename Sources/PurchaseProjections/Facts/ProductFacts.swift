import PurchaseEvents

/// What a log says of one product (G2.2).
public struct ProductFacts: Sendable {
    /// What the latest `catalog.listed` says, and what the rows and renewals say.
    var listedKind: ProductKind?, statedKindRegister = Register<ProductKind>()
    /// The group by the latest `catalog.listed` that names one, and by rows and renewals.
    var listedGroup: GroupID<Interned>?, statedGroupRegister = Register<GroupID<Interned>>()
    /// The kind by the latest `catalog.listed`, else by the first row or renewal that tells it.
    public var kind: ProductKind? { listedKind ?? statedKindRegister.value }
    /// The subscription group, by the same.
    public var group: GroupID<Interned>? { listedGroup ?? statedGroupRegister.value }
    /// The level in the group, 1 the highest.
    public var level: Int64?
    /// Whether it has content hosted by Apple.
    public var hosted: Bool?
    /// The latest `catalog.listed`, and the latest `catalog.invalid`, 0 where there is none.
    public var listedLine: LineNumber = 0, invalidLine: LineNumber = 0
}
