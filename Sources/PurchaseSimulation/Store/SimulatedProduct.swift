import PurchaseEvents

/// A product of the simulated App Store.
struct SimulatedProduct: Sendable {
    let id: ProductID<Written>
    let kind: ProductKind
    /// The price in thousandths of the currency's unit.
    let price: Int64
    var group: GroupID<Written>?
    /// The level in the group; 1 is the highest.
    var level: Int64?
    /// The length of a period in months.
    var months: Int64 = 0
    var isHosted = false
    var isFamilyShared = false
    /// Whether the app's own server delivers the product.
    var isOnServer = false

    /// How long the app lets a non-renewing subscription last, in milliseconds.
    static let seasonLength = 180 * Timestamp.day

    func listing(in currency: Currency?) -> CatalogListed<Written> {
        CatalogListed(
            product: id, kind: kind, group: group, level: level,
            period: months == 0 ? nil : months == 12 ? "P1Y" : "P1M", price: price,
            currency: currency, hosted: isHosted ? true : nil, family: isFamilyShared ? true : nil)
    }

    /// All products on sale: every kind, two groups, three levels.
    static let all = [
        SimulatedProduct(id: "com.example.coins.100", kind: .consumable, price: 990),
        SimulatedProduct(id: "com.example.coins.500", kind: .consumable, price: 3_990),
        SimulatedProduct(id: "com.example.lives.5", kind: .consumable, price: 1_990),
        SimulatedProduct(
            id: "com.example.reader.pro", kind: .nonConsumable, price: 4_990, isFamilyShared: true),
        SimulatedProduct(
            id: "com.example.reader.birds", kind: .nonConsumable, price: 6_990, isHosted: true),
        SimulatedProduct(
            id: "com.example.reader.trees", kind: .nonConsumable, price: 6_990, isHosted: true),
        SimulatedProduct(
            id: "com.example.reader.archive", kind: .nonConsumable, price: 9_990, isOnServer: true),
        SimulatedProduct(id: "com.example.reader.season", kind: .nonRenewing, price: 19_990),
        SimulatedProduct(
            id: "com.example.reader.monthly", kind: .autoRenewable, price: 4_990,
            group: "magazine", level: 2, months: 1),
        SimulatedProduct(
            id: "com.example.reader.yearly", kind: .autoRenewable, price: 49_990,
            group: "magazine", level: 2, months: 12),
        SimulatedProduct(
            id: "com.example.reader.premium", kind: .autoRenewable, price: 7_990,
            group: "magazine", level: 1, months: 1),
        SimulatedProduct(
            id: "com.example.reader.basic", kind: .autoRenewable, price: 3_990,
            group: "magazine", level: 3, months: 1),
        SimulatedProduct(
            id: "com.example.reader.audio", kind: .autoRenewable, price: 2_990, group: "audio",
            level: 1, months: 1),
        // What only today's store sells.
        SimulatedProduct(
            id: "com.example.reader.household", kind: .autoRenewable, price: 5_990, group: "audio",
            level: 1, months: 1, isFamilyShared: true),
        SimulatedProduct(
            id: "com.example.reader.weekend", kind: .autoRenewable, price: 4_490,
            group: "magazine", level: 2, months: 1),
    ]

    /// The number of products, from the first, in the store of the guide.
    static let countInGuide = all.count - 2
    static let household = countInGuide

    /// The indices in ``all`` of products of some kinds, and of single products.
    static let consumables = places { $0.kind == .consumable }
    static let nonConsumables = places { $0.kind == .nonConsumable }
    static let season = places { $0.kind == .nonRenewing }[0]
    static let hosted = places { $0.isHosted }[0]
    static let archive = places { $0.isOnServer }[0]
    static let family = places { $0.isFamilyShared && $0.kind == .nonConsumable }[0]
    static let subscriptions = places { $0.kind == .autoRenewable }

    private static func places(where matches: (SimulatedProduct) -> Bool) -> [Int] {
        all.indices.filter { matches(all[$0]) }
    }

    /// A product that the app requests and the store doesn't have.
    static let unknown: ProductID<Written> = "com.example.reader.withdrawn"
}
