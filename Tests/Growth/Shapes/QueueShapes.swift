import PurchaseEvents

extension GrowthShape {
    /// Much that the queue, restores and receipts say.
    static let queue = [
        GrowthShape("launches-with-open-entries", count: 300) { count, log in
            log.start(.nonConsumable)
            for number in 1...count { log.purchase("t\(number)") }
            for number in 1...count {
                log.add(.appLaunched)
                log.add(.queueObserved)
                log.add(.queuePurchasing, "\"payment\":\"y\(number)\"")
            }
        },
        GrowthShape("deferred-then-purchased", count: 1_000) { count, log in
            log.start(.consumable)
            for number in 1...count {
                log.add(.paymentRequested, "\"payment\":\"y\(number)\",\"product\":\"p1\"")
                log.add(.queueDeferred, "\"payment\":\"y\(number)\"")
            }
            for number in 1...count { log.purchase("t\(number)") }
        },
        GrowthShape("purchases-and-launches", count: 700) { count, log in
            log.start(.nonConsumable)
            for number in 1...count {
                log.purchase("t\(number)")
                log.add(.appLaunched)
                log.add(.queueObserved)
            }
        },
        GrowthShape("presented-at-each-launch", count: 60) { count, log in
            log.start(.nonConsumable)
            for _ in 1...count {
                log.add(.appLaunched)
                log.add(.queueObserved)
                for number in 1...20 { log.purchase("t\(number)") }
            }
        },
        GrowthShape("restores-and-products") { count, log in
            log.start(.nonConsumable)
            for number in 1...count {
                log.add(.catalogListed, "\"product\":\"q\(number)\",\"kind\":\"nonConsumable\"")
                log.purchase("t\(number)", "q\(number)")
            }
            for _ in 1...count {
                log.add(.restoreRequested, "\"by\":\"user\"")
                log.add(.restoreCompleted)
            }
        },
        GrowthShape("restores-and-kinds") { count, log in
            log.start(.nonConsumable)
            for number in 1...count { log.purchase("t\(number)") }
            for number in 1...count {
                let kind = number.isMultiple(of: 2) ? "nonConsumable" : "consumable"
                log.add(.catalogListed, "\"product\":\"p1\",\"kind\":\"\(kind)\"")
                log.add(.restoreRequested, "\"by\":\"user\"")
                log.add(.restoreCompleted)
            }
        },
        GrowthShape("restores-selected") { count, log in
            log.start(.nonConsumable)
            log.add(.restoreRequested, "\"by\":\"user\"")
            for number in 1...count { log.add(.restoreSelected, "\"product\":\"q\(number)\"") }
            for number in 1...count {
                log.add(
                    .queueRestored,
                    #""transaction":"s\#(number)","original":"o\#(number)","product":"p1","#
                        + "\"purchasedAt\":\(log.time(log.minute))")
                log.about("s\(number)", .queueFinished)
            }
        },
        GrowthShape("requests-without-payments", count: 500) { count, log in
            log.start(.consumable)
            for number in 1...count {
                log.add(.paymentRequested, "\"payment\":\"y\(number)\",\"product\":\"p1\"")
                log.add(.appLaunched)
                log.add(.queueObserved)
                log.purchase("t\(number)")
            }
        },
        GrowthShape("requests-then-purchases") { count, log in
            log.start(.consumable)
            for number in 1...count {
                log.add(.paymentRequested, "\"payment\":\"y\(number)\",\"product\":\"p1\"")
            }
            for number in 1...count { log.purchase("t\(number)") }
        },
        GrowthShape("one-payment") { count, log in
            log.start(.consumable)
            for number in 1...count {
                log.add(
                    .paymentRequested, "\"payment\":\"y\",\"product\":\"p1\",\"quantity\":\(number)"
                )
            }
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
                log.add(.paymentRequested, "\"payment\":\"y\(number)\",\"product\":\"p1\"")
                log.add(.queueFailed, "\"payment\":\"y\(number)\",\"error\":\"interrupted\"")
            }
            for number in 1...count { log.purchase("t\(number)") }
            for _ in 1...count { log.add(.appLaunched) }
        },
        GrowthShape("deferrals") { count, log in
            log.start(.consumable)
            for number in 1...count {
                log.add(.paymentRequested, "\"payment\":\"y\(number)\",\"product\":\"p1\"")
                log.add(.queueDeferred, "\"payment\":\"y\(number)\"")
            }
            for number in 1...count {
                log.add(.appLaunched)
                log.purchase("t\(number)")
            }
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
        GrowthShape("snapshots") { count, log in
            log.start(.nonConsumable)
            for number in 1...count {
                log.add(.receiptRefreshed, "\"receipt\":\"c\(number)\"")
                for row in 1...3 {
                    log.add(
                        .receiptListed,
                        #""receipt":"c\#(number)","transaction":"t\#(row + number % 2)","#
                            + "\"product\":\"p1\",\"purchasedAt\":\(log.time(5))")
                }
            }
        },
        GrowthShape("snapshot-that-loses-rows") { count, log in
            log.start(.nonConsumable)
            for number in 1...count {
                log.purchase("t\(number)")
                log.about("t\(number)", .queueFinished)
            }
            log.add(.receiptRefreshed, "\"receipt\":\"c\"")
            for number in 1...count {
                log.add(
                    .receiptListed,
                    "\"receipt\":\"c\",\"transaction\":\"t\(number)\",\"product\":\"p1\","
                        + "\"purchasedAt\":\(log.time(5))")
            }
            for number in 1...count { log.add(.receiptRefreshed, "\"receipt\":\"d\(number)\"") }
        },
        GrowthShape("unlocks-at-launches", count: 200) { count, log in
            log.start(.nonConsumable)
            for number in 1...count {
                log.purchase("t\(number)", "q\(number % 25)")
                log.about("t\(number)", .deliveryDelivered)
            }
            for _ in 1...count {
                log.add(.appLaunched)
                for number in 1...25 { log.unlock("q\(number)") }
            }
        },
        GrowthShape("one-unlock-at-launches") { count, log in
            log.start(.nonConsumable)
            for number in 1...count {
                log.purchase("t\(number)", "q\(number)")
                log.about("t\(number)", .deliveryDelivered)
            }
            for _ in 1...count {
                log.add(.appLaunched)
                log.unlock("q1")
            }
        },
    ]
}
