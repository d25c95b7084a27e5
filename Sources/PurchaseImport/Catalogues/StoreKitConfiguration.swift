import PurchaseEvents

/// The products of an Xcode StoreKit configuration, a `.storekit` file (importing.md, 3).
///
/// The import never reads the configuration's keys for signing offers.
struct StoreKitConfiguration {
    private let record: RecordReader
    private let currency: Currency?
    private var listed: [CatalogListed<Written>] = []
    private var seen: Set<String> = []

    init(_ record: RecordReader) {
        self.record = record
        let settings = record.record("settings")
        let storefront = settings?.text("_storefront")
        currency = storefront.flatMap { Storefronts.currency(of: $0) }
        if let storefront, currency == nil {
            settings?.remark(
                .note, "_storefront",
                "the currency of `\(EscapedText.excerpt(of: storefront))` is unknown; listed "
                    + "prices without a currency")
        }
        for product in record.records("products") + record.records("nonRenewingSubscriptions") {
            add(product, group: nil)
        }
        for group in record.records("subscriptionGroups") {
            for product in group.records("subscriptions") {
                add(product, group: group.name("id") ?? product.name("subscriptionGroupID"))
            }
        }
        record.countUnplaced(of: "configurations", ["appPolicies", "subscriptionOffersKeyPair"])
    }

    /// One `catalog.listed` for each product, in file order.
    var facts: [StatedFact] { listed.map { StatedFact(fact: .catalogListed($0)) } }

    private mutating func add(_ product: RecordReader, group: String?) {
        guard let id = product.name("productID"),
            let kind = product.word("type", productKinds, "a product type")
        else {
            product.remark(
                .error, nil,
                "expected `productID` and `type`, but at least one is missing or invalid; "
                    + "skipped the product")
            return
        }
        if !seen.insert(id).inserted {
            product.remark(.warning, "productID", "another product has the same identifier")
        }
        warn(of: product, id, kind, isInGroup: group != nil)
        let price = product.thousandths("displayPrice")
        if price == nil, product.value("displayPrice") == nil {
            product.remark(.warning, nil, "expected `displayPrice`, seen none")
        }
        listed.append(
            CatalogListed(
                product: ProductID(id), kind: kind, group: group.map { GroupID($0) },
                level: group == nil
                    ? nil : product.integer("groupNumber", in: 1...Int64(Int32.max)),
                period: group == nil ? nil : product.name("recurringSubscriptionPeriod"),
                price: price, currency: price == nil ? nil : currency,
                family: product.flag("familyShareable")))
        for key in offerKeys.sorted() { warn(ofOffers: product.records(key)) }
        product.countUnplaced(of: "products of configurations", unplacedOfProduct)
    }

    /// Warns about a product whose type doesn't fit its place in or outside of groups, or its name.
    private func warn(
        of product: RecordReader, _ id: String, _ kind: ProductKind, isInGroup: Bool
    ) {
        if isInGroup != (kind == .autoRenewable) {
            product.remark(
                .warning, "type",
                isInGroup
                    ? "expected an auto-renewable subscription in a subscription group, seen "
                        + "another type"
                    : "expected an auto-renewable subscription in a subscription group, seen "
                        + "one outside a group")
        } else if kind == .consumable || kind == .nonConsumable {
            let words = (id + " " + (product.text("referenceName") ?? "")).lowercased()
            guard ["subscription", "monthly", "yearly", "weekly"].contains(where: words.contains)
            else { return }
            product.remark(
                .warning, "type",
                "named like a subscription, but its type is "
                    + (kind == .consumable ? "consumable" : "non-consumable"))
        }
    }

    /// Warns about an offer whose way of payment StoreKit refuses at run time.
    private func warn(ofOffers offers: [RecordReader]) {
        for offer in offers {
            guard let mode = offer.text("paymentMode"), !paymentModes.contains(mode) else {
                continue
            }
            let seen = EscapedText.excerpt(of: mode)
            offer.remark(
                .warning, "paymentMode",
                "expected free, payAsYouGo or payUpFront, seen `\(seen)`, which StoreKit refuses "
                    + "at run time" + (mode == "freeTrial" ? ": a free trial is `free`" : ""))
        }
    }
}

private let productKinds: [String: ProductKind] = [
    "consumable": .consumable, "nonconsumable": .nonConsumable,
    "nonrenewingsubscription": .nonRenewing, "recurringsubscription": .autoRenewable,
]

private let offerKeys: Set<String> = [
    "adHocOffers", "codeOffers", "introductoryOffer", "introductoryOffers", "winbackOffers",
]

private let paymentModes: Set<String> = ["free", "payAsYouGo", "payUpFront"]

private let unplacedOfProduct = offerKeys.union(["billingPlans", "localizations"])

extension RecordReader {
    /// A price such as `0.99`, `29` or `4,99` in thousandths; adds a remark if the text isn't a
    /// price or if a nonzero decimal after the third is cut.
    fileprivate func thousandths(_ key: String) -> Int64? {
        guard let text = text(key) else { return nil }
        let parts = text.split(
            maxSplits: 2, omittingEmptySubsequences: false,
            whereSeparator: { $0 == "." || $0 == "," })
        let isDigits: (Substring) -> Bool = { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        let decimals = parts.count == 2 ? parts[1] : ""
        guard parts.count <= 2, let whole = parts.first, isDigits(whole), isDigits(decimals),
            let units = Int64(whole), units < 1 << 42,
            let rest = Int64((decimals + "000").prefix(3))
        else {
            leaveOut(key, text, "a price such as 0.99")
            return nil
        }
        if decimals.dropFirst(3).contains(where: { $0 != "0" }) {
            remark(.warning, key, "dropped the decimals after the third")
        }
        return units * 1_000 + rest
    }
}

extension AppStoreFormat {
    static let storeKitConfiguration = AppStoreFormat(
        kind: .storekit,
        recognises: { document in
            document["products"]?.elements != nil && document["subscriptionGroups"]?.elements != nil
        },
        readStatements: { document, remarks, _ in
            guard let record = RecordReader(document, remarks: remarks) else { return [] }
            let configuration = StoreKitConfiguration(record)
            let identity = SHA256.shortHex(
                document.canonicalBytes(without: "subscriptionOffersKeyPair"))
            return [
                StatedSource(
                    identity: identity, place: remarks.place(of: document.offset),
                    facts: configuration.facts)
            ]
        })
}
