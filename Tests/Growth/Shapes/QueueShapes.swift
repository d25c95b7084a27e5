import PurchaseEvents

extension GrowthShape {
    /// Much that the queue, restores and receipts say.
    static let queue = [
        GrowthShape("launches-with-open-entries", of: .nonConsumable, count: 300) { number, log in
            log.purchase("t\(number)")
        } then: { number, log in
            log.launch()
            log.add(.queuePurchasing, "\"payment\":\"y\(number)\"")
        },
        GrowthShape("deferred-then-purchased", of: .consumable, count: 1_000) { number, log in
            log.request("y\(number)")
            log.add(.queueDeferred, "\"payment\":\"y\(number)\"")
        } then: {
            $1.purchase("t\($0)")
        },
        GrowthShape("purchases-and-launches", of: .nonConsumable, count: 700) { number, log in
            log.purchase("t\(number)")
            log.launch()
        },
        GrowthShape("presented-at-each-launch", of: .nonConsumable, count: 60) { _, log in
            log.launch()
            for number in 1...20 { log.purchase("t\(number)") }
        },
        GrowthShape("restores-and-products", of: .nonConsumable) { number, log in
            log.list("q\(number)", .nonConsumable)
            log.purchase("t\(number)", "q\(number)")
        } then: { _, log in
            log.add(.restoreRequested, "\"by\":\"user\"")
            log.add(.restoreCompleted)
        },
        GrowthShape("restores-and-kinds", of: .nonConsumable) { number, log in
            log.purchase("t\(number)")
        } then: { number, log in
            log.list("p1", number.isMultiple(of: 2) ? .nonConsumable : .consumable)
            log.add(.restoreRequested, "\"by\":\"user\"")
            log.add(.restoreCompleted)
        },
        GrowthShape("restores-selected") { count, log in
            log.start(.nonConsumable)
            log.add(.restoreRequested, "\"by\":\"user\"")
            for number in 1...count { log.add(.restoreSelected, "\"product\":\"q\(number)\"") }
            for number in 1...count {
                log.restore("s\(number)", "o\(number)")
                log.about("s\(number)", .queueFinished)
            }
        },
        GrowthShape("requests-without-payments", of: .consumable, count: 500) { number, log in
            log.request("y\(number)")
            log.launch()
            log.purchase("t\(number)")
        },
        GrowthShape("requests-then-purchases", of: .consumable) { number, log in
            log.request("y\(number)")
        } then: {
            $1.purchase("t\($0)")
        },
        GrowthShape("one-payment") { count, log in
            log.start(.consumable)
            for number in 1...count { log.request("y", ",\"quantity\":\(number)") }
            for number in 1...count {
                log.add(
                    .queuePurchased,
                    #""transaction":"t\#(number)","payment":"y","product":"p1","quantity":"#
                        + "\(count - number + 1),\"purchasedAt\":\(log.time(log.minute))")
            }
        },
        GrowthShape("failures") { count, log in
            log.start(.consumable)
            for number in 1...count {
                log.request("y\(number)")
                log.add(.queueFailed, "\"payment\":\"y\(number)\",\"error\":\"interrupted\"")
            }
            for number in 1...count { log.purchase("t\(number)") }
            for _ in 1...count { log.add(.appLaunched) }
        },
        GrowthShape("deferrals", of: .consumable) { number, log in
            log.request("y\(number)")
            log.add(.queueDeferred, "\"payment\":\"y\(number)\"")
        } then: { number, log in
            log.add(.appLaunched)
            log.purchase("t\(number)")
        },
        GrowthShape("devices") { count, log in
            log.start(.nonConsumable)
            for round in 1...2 {
                for number in 1...count {
                    log.device = "device\(number)"
                    if round == 1 { log.add(.appLaunched) }
                    log.purchase("t1")
                }
            }
            for number in 1...count {
                log.device = "device\(number)"
                log.about("t1", .queueFinished)
            }
        },
        GrowthShape("downloads") { count, log in
            log.start(.nonConsumable)
            log.purchase("t1")
            for number in 1...count {
                for state in ["waiting", "finished"] {
                    log.about(
                        "t1", .deliveryDownload,
                        "\"download\":\"d\(number)\",\"state\":\"\(state)\"")
                }
                log.about("t1", .deliveryInstalled, "\"place\":\"caches\"")
                log.about("t1", .queueFinished)
            }
        },
        GrowthShape("snapshots", of: .nonConsumable) { number, log in
            log.add(.receiptRefreshed, "\"receipt\":\"c\(number)\"")
            for row in 1...3 { log.row("t\(row + number % 2)", in: "c\(number)") }
        },
        GrowthShape("snapshot-that-loses-rows") { count, log in
            log.start(.nonConsumable)
            for number in 1...count {
                log.purchase("t\(number)")
                log.about("t\(number)", .queueFinished)
            }
            log.add(.receiptRefreshed, "\"receipt\":\"c\"")
            for number in 1...count { log.row("t\(number)", in: "c") }
            for number in 1...count { log.add(.receiptRefreshed, "\"receipt\":\"d\(number)\"") }
        },
        GrowthShape("unlocks-at-launches", of: .nonConsumable, count: 200) { number, log in
            log.purchase("t\(number)", "q\(number % 25)")
            log.deliver("t\(number)")
        } then: { _, log in
            log.add(.appLaunched)
            for number in 1...25 { log.unlock("q\(number)") }
        },
        GrowthShape("one-unlock-at-launches", of: .nonConsumable) { number, log in
            log.purchase("t\(number)", "q\(number)")
            log.deliver("t\(number)")
        } then: { _, log in
            log.add(.appLaunched)
            log.unlock("q1")
        },
    ]
}
