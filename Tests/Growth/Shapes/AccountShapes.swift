import PurchaseEvents

extension GrowthShape {
    /// Much that one account holds, and many uses of it.
    static let accounts = [
        GrowthShape("passes-then-openings", of: .nonRenewing, count: 700) { number, log in
            log.purchase("t\(number)")
            log.deliver("t\(number)", until: log.minute + 5)
        } then: {
            $1.open()
        },
        GrowthShape("passes-and-openings", of: .nonRenewing, count: 700) { number, log in
            log.purchase("t\(number)")
            log.deliver("t\(number)", until: log.minute + 2)
            log.unlock()
            log.open()
            log.unlock()
        },
        GrowthShape("passes-withdrawn", of: .nonRenewing) { number, log in
            log.purchase("t\(number)")
            log.deliver("t\(number)", until: log.minute + 1)
            log.withdraw("t\(number)", "expired")
        },
        GrowthShape("refunds-and-unlocks", of: .nonConsumable) { number, log in
            log.purchase("t\(number)")
            log.deliver("t\(number)")
            log.refund("t\(number)")
            log.unlock()
        },
        GrowthShape("refunds-withdrawn", of: .nonConsumable) { number, log in
            log.purchase("t\(number)")
            log.deliver("t\(number)")
            log.refund("t\(number)")
            log.withdraw("t\(number)", "refunded")
        },
        GrowthShape("subscriptions-and-openings", of: .autoRenewable) { number, log in
            log.renew("t\(number)", "o\(number)")
            log.open()
        },
        GrowthShape("subscriptions-then-openings", of: .autoRenewable) { number, log in
            log.renew("t\(number)", "o\(number)")
        } then: {
            $1.open()
        },
        GrowthShape("products-and-unlocks") { count, log in
            log.start(.nonConsumable)
            for number in 1...count {
                log.list("q\(number)", .nonConsumable)
                log.purchase("t\(number)", "q\(number)")
                log.deliver("t\(number)")
            }
            for number in 1...count { log.unlock("q\(count - number)") }
        },
        GrowthShape("issues-and-openings", of: .autoRenewable) { number, log in
            log.renew("t\(number)", "o1")
            log.publish("i\(number)", "\"group\":\"g\"", at: log.minute)
            log.open("i\(number)")
            log.open("i\(max(1, number / 2))")
        },
        GrowthShape("issues-newest-first", count: 2_000) { count, log in
            log.start(.autoRenewable)
            log.renew("t1", "o1", lasting: 10 * count)
            for number in 1...count {
                log.publish("i\(number)", "\"product\":\"p1\"", at: count - number)
            }
            for number in 1...count { log.open("i\(number)") }
        },
        GrowthShape("links-and-purchases", of: .nonConsumable) { number, log in
            log.account = "6f9619ff-8b86-4d01-b42d-00cf4fc964f\(number % 2)"
            log.purchase("t\(number)")
            log.about(line: "t\(number)", .accountLinked)
            log.unlock()
        },
        GrowthShape("without-an-account") { count, log in
            log.start(.nonConsumable)
            log.account = nil
            for number in 1...count {
                log.purchase("t\(number)")
                log.deliver("t\(number)")
                log.open()
                log.unlock()
                log.withdraw("t\(number)", "other")
            }
        },
        GrowthShape("given-without-an-owner", of: .nonConsumable) { number, log in
            let account = log.account
            log.account = nil
            log.purchase("t\(number)")
            log.account = account
            log.deliver("t\(number)")
            log.refund("t\(number)")
            log.unlock()
        },
        GrowthShape("given-and-withdrawn", of: .nonConsumable, count: 16_000) { number, log in
            if number == 1 { log.purchase("t") }
            log.deliver("t")
            log.withdraw("t", "other")
        },
        GrowthShape("payers-and-accounts", of: .consumable, count: 8_000) { number, log in
            log.request("y\(number)", ",\"payer\":\"x\(number)\"")
        },
        GrowthShape("consumables", of: .consumable) { number, log in
            log.purchase("t\(number)")
            log.deliver("t\(number)")
            log.consume("p1")
            log.refund("t\(number)")
            log.withdraw("t\(number)", "refunded")
        },
        GrowthShape("stocks-of-many-accounts", of: .consumable) { number, log in
            log.account = "6f9619ff-8b86-4d01-b42d-00cf4fc964f\(number % 10)"
            log.purchase("t\(number)")
            log.deliver("t\(number)")
            log.consume("p1")
            log.consume("q\(number)")
            log.refund("t\(number)", ",\"percent\":50000")
            log.withdraw("t\(number)", "refunded", ",\"quantity\":1")
        },
        GrowthShape("kinds-known-late") { count, log in
            log.launch()
            for number in 1...count {
                log.purchase("t\(number)")
                log.open()
            }
            for _ in 1...count {
                log.list("p1", .nonConsumable)
                log.list("p1", .consumable)
            }
        },
    ]
}
