import PurchaseEvents

/// The facts that a log states about one product (G2.2).
public struct ProductFacts: Sendable {
    /// The kind in the latest `catalog.listed`, and the kind in receipt rows and renewals.
    var listedKind: ProductKind?, statedKindRegister = Register<ProductKind>()
    /// The group in the latest `catalog.listed` that names one, and the group in rows and renewals.
    var listedGroup: GroupID<Interned>?, statedGroupRegister = Register<GroupID<Interned>>()
    /// The kind of the product: from the latest `catalog.listed`, otherwise from the first row or
    /// renewal that states it.
    public var kind: ProductKind? { listedKind ?? statedKindRegister.value }
    /// The subscription group, found in the same order as ``kind``.
    public var group: GroupID<Interned>? { listedGroup ?? statedGroupRegister.value }
    /// The product's level in its group; 1 is the highest.
    public var level: Int64?
    /// Whether Apple hosts content for the product; `nil` if not stated.
    public var hosted: Bool?
    /// The lines of the latest `catalog.listed` and `catalog.invalid`; 0 if there is none.
    public var listedLine: LineNumber = 0, invalidLine: LineNumber = 0
}
