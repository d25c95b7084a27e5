import PurchaseEvents

extension Mutation {
    /// Words and flags of an event.
    static let ofWords: [Mutation] = [
        Mutation("valid told as invalid", .outcome, "valid", "invalid"),
        Mutation("valid told as unreachable", .outcome, "valid", "unreachable"),
        Mutation("invalid told as valid", .outcome, "invalid", "valid"),
        Mutation("finished download told as failed", .state, "finished", "failed"),
        Mutation("finished download told as active", .state, "finished", "active"),
        Mutation("unfinished download told as cancelled", .state) {
            $0[.state] == "finished" ? [] : ["cancelled"]
        },
        Mutation("persisted elsewhere", .store) { _ in
            PersistentStore.allCases.map(\.rawValue)
        },
        Mutation("withdrawn for another reason", .reason, of: EventTypes(.deliveryWithdrawn)) { _ in
            WithdrawalReason.allCases.map(\.rawValue)
        },
        Mutation("ended for another reason", .reason, of: EventTypes(.renewalExpired)) { _ in
            ExpirationReason.allCases.map(\.rawValue)
        },
        Mutation("restored by the app", .by, "user", "app"),
        Mutation("failed for another reason", .error) { row in
            row[.error] == nil
                ? [] : [row[.error] == "interrupted" ? "cancelled" : "interrupted"]
        },
        Mutation("the change told as now", .effect, "nextRenewal", "now"),
        Mutation("the change put off", .effect, "now", "nextRenewal"),
        Mutation("consent still pending", .consent, "agreed", "pending"),
        Mutation("consent given at once", .consent, "pending", "agreed"),
        Mutation("another kind", .kind) { row in
            row[.kind] == nil ? [] : ProductKind.allCases.map(\.rawValue)
        },
        Mutation("the kind not said", .kind) { _ in [nil] },
        Mutation("hosted after all", .hosted) { [$0[.hosted] == "true" ? "false" : "true"] },
        Mutation("the secret wrong", .secret) { _ in ["wrong"] },
        Mutation("the signature invalid", .signature) { _ in ["invalid"] },
        Mutation("sent to the other environment", .status, of: EventTypes(.receiptValidated)) { _ in
            ["21007", "21008"]
        },
        Mutation("upgraded away", .upgraded) { [$0[.upgraded] == "true" ? nil : "true"] },
        Mutation("the refund not said", .cancelledAt) { _ in [nil] },
        Mutation("the row refunded", .cancelledAt, of: EventTypes(.receiptListed)) { row in
            row[.cancelledAt] == nil ? [row[.purchasedAt]] : []
        },
        Mutation("shared by the family", .ownership) {
            [$0[.ownership] == "familyShared" ? "purchased" : "familyShared"]
        },
        Mutation("no longer retried", .retrying) { [$0[.retrying] == "true" ? "false" : "true"] },
        Mutation("recovered or not", .recovered) { [$0[.recovered] == "true" ? nil : "true"] },
        Mutation("subscribed again or not", .resubscribed) {
            [$0[.resubscribed] == "true" ? nil : "true"]
        },
    ]
}
