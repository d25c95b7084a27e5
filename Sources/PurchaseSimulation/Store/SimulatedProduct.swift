import PurchaseEvents

/// A product of the simulated App Store.
struct SimulatedProduct: Sendable {
    let id: ProductID<Written>
    let kind: ProductKind
    /// The price in thousandths of the currency's unit.
    let price: Int64
    let group: GroupID<Written>?
    /// The level in the group; 1 is the highest.
    let level: Int64?
    /// The length of a period in months.
    let months: Int64
    let isHosted: Bool, isFamilyShared: Bool
    /// Whether the app's own server delivers the product.
    let isOnServer: Bool

    /// Creates a product; its identifier is `com.example.` and the name.
    init(
        _ name: String, _ kind: ProductKind, _ price: Int64, group: GroupID<Written>? = nil,
        level: Int64? = nil, months: Int64 = 0, isHosted: Bool = false,
        isFamilyShared: Bool = false, isOnServer: Bool = false
    ) {
        (id, self.kind, self.price) = (ProductID("com.example.\(name)"), kind, price)
        (self.group, self.level, self.months) = (group, level, months)
        (self.isHosted, self.isFamilyShared) = (isHosted, isFamilyShared)
        self.isOnServer = isOnServer
    }

    /// How long the app lets a non-renewing subscription last, in milliseconds.
    static let seasonLength = 180 * Timestamp.day

    /// The length of a period as an ISO 8601 duration; `nil` of what is bought once.
    var period: String? { months == 0 ? nil : months == 12 ? "P1Y" : "P1M" }

    func listing(in currency: Currency?) -> CatalogListed<Written> {
        CatalogListed(
            product: id, kind: kind, group: group, level: level, period: period, price: price,
            currency: currency, hosted: isHosted ? true : nil, family: isFamilyShared ? true : nil)
    }

    /// All products on sale: every kind, two groups, three levels.
    static let all: [SimulatedProduct] = [
        .init("coins.100", .consumable, 990), .init("coins.500", .consumable, 3_990),
        .init("lives.5", .consumable, 1_990),
        .init("reader.pro", .nonConsumable, 4_990, isFamilyShared: true),
        .init("reader.birds", .nonConsumable, 6_990, isHosted: true),
        .init("reader.trees", .nonConsumable, 6_990, isHosted: true),
        .init("reader.archive", .nonConsumable, 9_990, isOnServer: true),
        .init("reader.season", .nonRenewing, 19_990),
        .init("reader.monthly", .autoRenewable, 4_990, group: "magazine", level: 2, months: 1),
        .init("reader.yearly", .autoRenewable, 49_990, group: "magazine", level: 2, months: 12),
        .init("reader.premium", .autoRenewable, 7_990, group: "magazine", level: 1, months: 1),
        .init("reader.basic", .autoRenewable, 3_990, group: "magazine", level: 3, months: 1),
        .init("reader.audio", .autoRenewable, 2_990, group: "audio", level: 1, months: 1),
        // What only today's store sells.
        .init(
            "reader.household", .autoRenewable, 5_990, group: "audio", level: 1, months: 1,
            isFamilyShared: true),
        .init("reader.weekend", .autoRenewable, 4_490, group: "magazine", level: 2, months: 1),
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
