import PurchaseEvents

extension GrowthShape {
    /// Much that one account holds, and many uses of it.
    static let accounts = [
        GrowthShape("passes-then-openings", count: 700) { count, log in
            log.start(.nonRenewing)
            for number in 1...count {
                log.purchase("t\(number)")
                log.about("t\(number)", .deliveryDelivered, "\"until\":\(log.time(log.minute + 5))")
            }
            for _ in 1...count { log.open() }
        },
        GrowthShape("passes-and-openings", count: 700) { count, log in
            log.start(.nonRenewing)
            for number in 1...count {
                log.purchase("t\(number)")
                log.about("t\(number)", .deliveryDelivered, "\"until\":\(log.time(log.minute + 2))")
                log.unlock()
                log.open()
                log.unlock()
            }
        },
        GrowthShape("passes-withdrawn") { count, log in
            log.start(.nonRenewing)
            for number in 1...count {
                log.purchase("t\(number)")
                log.about("t\(number)", .deliveryDelivered, "\"until\":\(log.time(log.minute + 1))")
                log.about("t\(number)", .deliveryWithdrawn, "\"reason\":\"expired\"")
            }
        },
        GrowthShape("refunds-and-unlocks") { count, log in
            log.start(.nonConsumable)
            for number in 1...count {
                log.purchase("t\(number)")
                log.about("t\(number)", .deliveryDelivered)
                log.about(
                    "t\(number)", .cancellationRefunded, "\"cancelledAt\":\(log.time(log.minute))")
                log.unlock()
            }
        },
        GrowthShape("refunds-withdrawn") { count, log in
            log.start(.nonConsumable)
            for number in 1...count {
                log.purchase("t\(number)")
                log.about("t\(number)", .deliveryDelivered)
                log.about(
                    "t\(number)", .cancellationRefunded, "\"cancelledAt\":\(log.time(log.minute))")
                log.about("t\(number)", .deliveryWithdrawn, "\"reason\":\"refunded\"")
            }
        },
        GrowthShape("subscriptions-and-openings") { count, log in
            log.start(.autoRenewable)
            for number in 1...count {
                log.renew("t\(number)", "o\(number)")
                log.open()
            }
        },
        GrowthShape("subscriptions-then-openings") { count, log in
            log.start(.autoRenewable)
            for number in 1...count { log.renew("t\(number)", "o\(number)") }
            for _ in 1...count { log.open() }
        },
        GrowthShape("products-and-unlocks") { count, log in
            log.start(.nonConsumable)
            for number in 1...count {
                log.add(.catalogListed, "\"product\":\"q\(number)\",\"kind\":\"nonConsumable\"")
                log.purchase("t\(number)", "q\(number)")
                log.about("t\(number)", .deliveryDelivered)
            }
            for number in 1...count { log.unlock("q\(count - number)") }
        },
        GrowthShape("issues-and-openings") { count, log in
            log.start(.autoRenewable)
            for number in 1...count {
                log.renew("t\(number)", "o1")
                log.add(
                    .contentPublished,
                    "\"content\":\"i\(number)\",\"group\":\"g\",\"publishedAt\":"
                        + log.time(log.minute)
                )
                log.open("i\(number)")
                log.open("i\(max(1, number / 2))")
            }
        },
        GrowthShape("issues-newest-first", count: 2_000) { count, log in
            log.start(.autoRenewable)
            log.renew("t1", "o1", lasting: 10 * count)
            for number in 1...count {
                log.add(
                    .contentPublished,
                    "\"content\":\"i\(number)\",\"product\":\"p1\",\"publishedAt\":"
                        + log.time(count - number))
            }
            for number in 1...count { log.open("i\(number)") }
        },
        GrowthShape("links-and-purchases") { count, log in
            log.start(.nonConsumable)
            for number in 1...count {
                log.account = "6f9619ff-8b86-4d01-b42d-00cf4fc964f\(number % 2)"
                log.purchase("t\(number)")
                log.about(line: "t\(number)", .accountLinked)
                log.unlock()
            }
        },
        GrowthShape("without-an-account") { count, log in
            log.start(.nonConsumable)
            log.account = nil
            for number in 1...count {
                log.purchase("t\(number)")
                log.about("t\(number)", .deliveryDelivered)
                log.open()
                log.unlock()
                log.about("t\(number)", .deliveryWithdrawn, "\"reason\":\"other\"")
            }
        },
        GrowthShape("given-without-an-owner") { count, log in
            log.start(.nonConsumable)
            let account = log.account
            for number in 1...count {
                log.account = nil
                log.purchase("t\(number)")
                log.account = account
                log.about("t\(number)", .deliveryDelivered)
                log.about(
                    "t\(number)", .cancellationRefunded, "\"cancelledAt\":\(log.time(log.minute))")
                log.unlock()
            }
        },
        GrowthShape("payers-and-accounts") { count, log in
            log.start(.consumable)
            for number in 1...count {
                log.add(
                    .paymentRequested,
                    "\"payment\":\"y\(number)\",\"product\":\"p1\",\"payer\":\"x\(number)\"")
            }
        },
        GrowthShape("consumables") { count, log in
            log.start(.consumable)
            for number in 1...count {
                log.purchase("t\(number)")
                log.about("t\(number)", .deliveryDelivered)
                log.add(.deliveryConsumed, "\"product\":\"p1\"")
                log.about(
                    "t\(number)", .cancellationRefunded, "\"cancelledAt\":\(log.time(log.minute))")
                log.about("t\(number)", .deliveryWithdrawn, "\"reason\":\"refunded\"")
            }
        },
        GrowthShape("stocks-of-many-accounts") { count, log in
            log.start(.consumable)
            for number in 1...count {
                log.account = "6f9619ff-8b86-4d01-b42d-00cf4fc964f\(number % 10)"
                log.purchase("t\(number)")
                log.about("t\(number)", .deliveryDelivered)
                log.add(.deliveryConsumed, "\"product\":\"p1\"")
                log.add(.deliveryConsumed, "\"product\":\"q\(number)\"")
                log.about(
                    "t\(number)", .cancellationRefunded,
                    "\"cancelledAt\":\(log.time(log.minute)),\"percent\":50000")
                log.about(
                    "t\(number)", .deliveryWithdrawn, "\"reason\":\"refunded\",\"quantity\":1")
            }
        },
        GrowthShape("kinds-known-late") { count, log in
            log.add(.appLaunched)
            log.add(.queueObserved)
            for number in 1...count {
                log.purchase("t\(number)")
                log.open()
            }
            for _ in 1...count {
                log.add(.catalogListed, "\"product\":\"p1\",\"kind\":\"nonConsumable\"")
                log.add(.catalogListed, "\"product\":\"p1\",\"kind\":\"consumable\"")
            }
        },
    ]
}
