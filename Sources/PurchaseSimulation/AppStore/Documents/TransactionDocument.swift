import PurchaseEvents

extension StoreTransaction {
    /// The payload of the signed transaction (appstore.md, 2.3).
    func payload(signedAt: Timestamp) -> String {
        var json = JSONText()
        json.add("transactionId", id)
        json.add("originalTransactionId", original)
        if isPeriod { json.add("webOrderLineItemId", StoreApp.customer(id)) }
        json.add("bundleId", StoreApp.bundle)
        json.add("productId", product)
        json.add("subscriptionGroupIdentifier", group)
        json.add("purchaseDate", purchasedAt)
        json.add("originalPurchaseDate", originalPurchasedAt ?? purchasedAt)
        json.add("expiresDate", expiresAt)
        json.add("quantity", quantity ?? 1)
        json.add("type", statedKind.map(StoreTransaction.word))
        json.add("appAccountToken", token)
        json.add("inAppOwnershipType", StoreTransaction.word(ownership ?? .purchased))
        json.add("signedDate", signedAt)
        addCancellation(to: &json)
        if upgradedAt != nil { json.add("isUpgraded", true) }
        addOffer(to: &json)
        json.add("environment", StoreApp.word(environment))
        json.add("storefront", "USA")
        json.add("storefrontId", "143441")
        json.add("transactionReason", isRenewal ? "RENEWAL" : "PURCHASE")
        json.add("price", priceOfOne)
        json.add("currency", price == nil ? nil : currency?.code)
        addTerms(to: &json)
        json.add("appTransactionId", account.map(StoreApp.customer))
        return json.text
    }

    private func addCancellation(to json: inout JSONText) {
        guard let cancellation else { return json.add("revocationDate", upgradedAt) }
        json.add("revocationDate", cancellation.at)
        guard let revocation = cancellation.revocation else {
            json.add("revocationReason", cancellation.reason == .issue ? Int64(1) : 0)
            json.add(
                "revocationType", cancellation.percent == nil ? "REFUND_FULL" : "REFUND_PRORATED")
            return json.add("revocationPercentage", cancellation.percent)
        }
        switch RevocationReason(rawValue: revocation) {
        case .family: json.add("revocationReason", Int64(0))
        case .assignment, .bundle, nil: break
        }
        json.add("revocationType", StoreTransaction.revocationType(revocation))
    }

    private static func revocationType(_ reason: String) -> String {
        switch RevocationReason(rawValue: reason) {
        case .family: "FAMILY_REVOKE"
        case .assignment: "ASSIGNMENT_REVOKE"
        case .bundle: "BUNDLE_REVOKE"
        case nil: reason
        }
    }

    private func addTerms(to json: inout JSONText) {
        json.add("billingPlanType", terms.plan.map(StoreTransaction.word))
        var commitment = JSONText()
        commitment.add("billingPeriodNumber", terms.number)
        commitment.add("totalBillingPeriods", terms.of)
        commitment.add("commitmentExpiresDate", terms.until)
        commitment.add("commitmentPrice", terms.price)
        var stated = terms
        stated.plan = nil
        if !stated.isEmpty { json.add("commitmentInfo", raw: commitment.text) }
    }
}

// The words of the App Store.
extension StoreTransaction {
    fileprivate static func word(_ kind: ProductKind) -> String {
        switch kind {
        case .consumable: "Consumable"
        case .nonConsumable: "Non-Consumable"
        case .autoRenewable: "Auto-Renewable Subscription"
        case .nonRenewing: "Non-Renewing Subscription"
        }
    }

    fileprivate static func word(_ ownership: Ownership) -> String {
        switch ownership {
        case .purchased: "PURCHASED"
        case .familyShared: "FAMILY_SHARED"
        case .assigned: "ASSIGNED"
        }
    }

    static func word(_ plan: BillingPlan) -> String {
        switch plan {
        case .upfront: "BILLED_UPFRONT"
        case .monthly: "MONTHLY"
        }
    }
}
