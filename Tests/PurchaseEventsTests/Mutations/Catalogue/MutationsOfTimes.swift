import PurchaseEvents

extension Mutation {
    /// The stated time of an event.
    static let ofTimes: [Mutation] = [
        Mutation("bought an hour earlier", .purchasedAt, by: -Timestamp.hour),
        Mutation("bought a year earlier", .purchasedAt, by: -year),
        Mutation("bought a year later", .purchasedAt, by: year),
        Mutation("first bought a year later", .originalPurchasedAt, by: year),
        Mutation("ended before it begins", .expiresAt) { row in
            guard row[.expiresAt] != nil, let start = row.time(.purchasedAt) else { return [] }
            return [start.advanced(byMilliseconds: -Timestamp.day).text]
        },
        Mutation("ended where it begins", .expiresAt) { row in
            row[.expiresAt] == nil ? [] : row[.purchasedAt].map { [$0] } ?? []
        },
        Mutation("ended an hour earlier", .expiresAt, by: -Timestamp.hour),
        Mutation("ended a year later", .expiresAt, by: year),
        Mutation("without an end", .expiresAt) { _ in [nil] },
        Mutation("refunded a year earlier", .cancelledAt, by: -year),
        Mutation("refunded a year later", .cancelledAt, by: year),
        Mutation("published a year earlier", .publishedAt, by: -year),
        Mutation("published ten years later", .publishedAt, by: 10 * year),
        Mutation("grace for a year more", .graceExpiresAt, by: year),
        Mutation("grace for a year less", .graceExpiresAt, by: -year),
        Mutation("no grace", .graceExpiresAt) { _ in [nil] },
        Mutation("opened before any period", .at, of: EventTypes(.contentOpened)) { row in
            row.time(.at).map { [$0.advanced(byMilliseconds: -30 * year).text] } ?? []
        },
        Mutation("granted for a year less", .until, by: -year),
    ]
}
