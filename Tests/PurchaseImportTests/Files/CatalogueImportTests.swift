import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// Xcode StoreKit configurations.
struct CatalogueImportTests {
    private func product(
        _ id: String, _ type: String = "Consumable", price: String? = "0.99"
    ) -> Payload {
        let product: Payload = [
            "productID": id, "type": type, "referenceName": id, "familyShareable": false,
            "internalID": "i",
        ]
        return product.with(("displayPrice", price))
    }

    private func configuration(
        _ products: [Payload], _ subscriptions: [Payload] = [], storefront: String? = "DEU"
    ) -> String {
        let group: Payload = [
            "id": "g1", "name": "group", "subscriptions": subscriptions as [any Sendable],
        ]
        let settings: Payload = [:]
        let payload: Payload = [
            "identifier": "x", "products": products as [any Sendable],
            "nonRenewingSubscriptions": [] as [any Sendable],
            "settings": settings.with(("_storefront", storefront)),
            "subscriptionGroups": [group] as [any Sendable],
            "subscriptionOffersKeyPair": ["id": "k", "privateKey": "secret key"] as Payload,
            "version": ["major": 4, "minor": 0] as Payload,
        ]
        return payload.json
    }

    @Test func `every product is listed with its kind, group, level, period and price`() throws {
        let monthly = product("monthly", "RecurringSubscription", price: "4.99").with(
            ("groupNumber", 2), ("recurringSubscriptionPeriod", "P1M"), ("familyShareable", true),
            ("codeOffers", [] as [any Sendable]))
        let result = try importedUnverified(
            configuration(
                [product("coins"), product("level", "NonConsumable", price: "29")], [monthly]))
        #expect(
            try result.said() == [
                "catalog.listed,product:coins,kind:consumable,price:990,currency:EUR,family:false",
                "catalog.listed,product:level,kind:nonConsumable,price:29000,currency:EUR,"
                    + "family:false",
                "catalog.listed,product:monthly,kind:autoRenewable,group:g1,level:2,period:P1M,"
                    + "price:4990,currency:EUR,family:true",
            ])
        #expect(result.isComplete && result.tally.kinds == [.storekit: 1])
        let told: [String] = [result.text, result.remarks.description, "\(result.tally)"]
        #expect(told.allSatisfy { !$0.contains("secret key") })
    }

    @Test func `what is wrong in it is told`() throws {
        let text = configuration(
            [
                product("monthly subscription"), product("monthly subscription"),
                product("free", price: nil),
            ],
            [product("p")])
        let warnings = try importedUnverified(text).remarks(.warning).joined(separator: "\n")
        for part in [
            "named like a subscription", "another product has the same identifier",
            "expected `displayPrice`, seen none", "seen another type",
        ] {
            #expect(warnings.contains(part), "\(part)")
        }
    }

    @Test func `a way of payment that StoreKit refuses is told`() throws {
        func offer(_ mode: String) -> Payload { ["internalID": "o", "paymentMode": mode] }
        let monthly = product("monthly", "RecurringSubscription").with(
            ("groupNumber", 1), ("introductoryOffer", offer("freeTrial")),
            ("adHocOffers", [offer("free"), offer("payUpFront")] as [any Sendable]))
        let warnings = try importedUnverified(configuration([], [monthly])).remarks(.warning)
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasSuffix("refuses at run time: a free trial is `free`") == true)
    }

    @Test func `prices are thousandths, and a storefront tells the currency`() throws {
        for (price, expected) in [("0.5", 500), ("29", 29_000), ("1,234", 1_234), ("4.990", 4_990)]
        {
            let result = try importedUnverified(
                configuration([product("p", price: price)], storefront: nil))
            guard case .catalogListed(let listed)? = result.events.last?.fact else {
                Issue.record("\(price): nothing listed")
                continue
            }
            #expect(listed.price == Int64(expected) && listed.currency == nil)
        }
        let odd = try importedUnverified(
            configuration([product("p", price: "free")], storefront: "XXX"))
        #expect(odd.remarks(.warning).count == 1 && odd.events.count == 2)
        #expect(Storefronts.currency(of: "USA") == Currency(code: "USD"))
    }
}
