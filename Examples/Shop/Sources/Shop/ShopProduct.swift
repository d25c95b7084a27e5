import PurchaseEvents

/// A product of the shop, from the list that is embedded in the app (G2.1).
public struct ShopProduct: Hashable, Sendable {
    /// The identifier in the App Store.
    public let name: String
    /// The kind.
    public let kind: ProductKind
    /// The length of a non-renewing subscription in days; `nil` for other kinds (G1.4).
    public var days: Int64?

    /// All products.
    public static let all = [
        ShopProduct(name: "com.example.shop.coins", kind: .consumable),
        ShopProduct(name: "com.example.shop.theme", kind: .nonConsumable),
        ShopProduct(name: "com.example.shop.birds", kind: .nonConsumable),
        ShopProduct(name: "com.example.shop.season", kind: .nonRenewing, days: 90),
        ShopProduct(name: "com.example.shop.monthly", kind: .autoRenewable),
    ]

    /// The kinds of the products by name, for the recorder.
    public static let kinds = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.kind) })

    /// The product with a name; `nil` if there is none.
    public static func named(_ name: String) -> ShopProduct? { all.first { $0.name == name } }
}
