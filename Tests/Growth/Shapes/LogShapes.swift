import PurchaseEvents

extension GrowthShape {
    /// Much that concerns the log itself.
    static let logs = [
        GrowthShape("one-id", count: 2_000) { count, log in
            for _ in 1...count { log.add(.appLaunched, id: "n") }
        },
        GrowthShape("one-id-and-others", count: 2_000) { count, log in
            for number in 1...count {
                log.add(.logNoted, "\"text\":\"\(number)\"", id: "n")
                log.add(.logNoted, "\"text\":\"\(number)\"", id: "n\(number)")
            }
        },
        GrowthShape("not-understood", count: 2_000) { count, log in
            log.start(.nonConsumable)
            for number in 1...count {
                log.add(garbage: "{\(number)")
                log.purchase("t\(number)")
                log.about("t\(number)", .queueFinished)
            }
        },
        GrowthShape("one-transaction-many-products", count: 2_000) { count, log in
            log.start(.nonConsumable)
            for number in 1...count { log.purchase("t1", "q\(number)") }
        },
        GrowthShape("accounts", count: 4_000) { count, log in
            for number in 1...count {
                log.account = "User\(number)"
                log.add(.appLaunched)
            }
        },
        GrowthShape("notifications", count: 2_000) { count, log in
            log.start(.autoRenewable)
            for number in 1...count {
                log.add(
                    .notificationReceived,
                    "\"notification\":\"n\(number % 7)\",\"name\":\"DID_RENEW\",\"version\":2,"
                        + "\"signature\":\"invalid\"", id: "n\(number % 7)")
            }
        },
        GrowthShape("crossing-statements", count: 2_000) { count, log in
            log.start(.autoRenewable)
            for number in 1...count { log.renew("t1", "o1", from: count - number) }
        },
    ]
}
