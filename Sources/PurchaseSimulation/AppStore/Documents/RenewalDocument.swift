import PurchaseEvents

extension StoreSubscription {
    /// The payload of the signed renewal info (appstore.md, 2.4).
    func payload(_ current: StoreTransaction, signedAt: Timestamp) -> String {
        var json = JSONText()
        json.add("expirationIntent", expirationIntent(current))
        json.add("originalTransactionId", original)
        json.add("autoRenewProductId", next ?? product)
        json.add("productId", product)
        json.add("autoRenewStatus", renews ? Int64(1) : 0)
        json.add("isInBillingRetryPeriod", isInRetry)
        json.add("priceIncreaseStatus", consent.map { $0 == .agreed ? Int64(1) : 0 })
        json.add("gracePeriodExpiresDate", graceUntil)
        json.add("signedDate", signedAt)
        json.add("environment", StoreApp.word(environment))
        json.add("recentSubscriptionStartDate", startedAt)
        if renews { json.add("renewalDate", current.expiresAt) }
        if renews, next == nil { json.add("renewalPrice", current.price) }
        json.add("currency", current.currency?.code)
        if current.isPaidFor { json.add("appAccountToken", account) }
        json.add("appTransactionId", account.map(StoreApp.customer))
        json.add("renewalBillingPlanType", current.terms.plan.map(StoreTransaction.word))
        if let renewsCommitment {
            var commitment = JSONText()
            commitment.add("commitmentAutoRenewProductId", next ?? product)
            commitment.add("commitmentAutoRenewStatus", renewsCommitment ? Int64(1) : 0)
            commitment.add(
                "commitmentRenewalBillingPlanType", current.terms.plan.map(StoreTransaction.word))
            if renewsCommitment { commitment.add("commitmentRenewalDate", current.terms.until) }
            json.add("commitmentInfo", raw: commitment.text)
        }
        return json.text
    }

    private var isInRetry: Bool { if case .retrying = state { true } else { false } }

    /// Why the subscription ends or has ended, by the App Store's numbers.
    private func expirationIntent(_ current: StoreTransaction) -> Int64? {
        guard !current.isCancelled else { return nil }
        switch state {
        case .running: return nil
        case .expired(.cancelled): return 1
        case .retrying, .expired(.billing): return 2
        case .expired(.priceIncrease): return 3
        case .expired(.unavailable): return 4
        case .expired(.other): return 5
        }
    }
}
