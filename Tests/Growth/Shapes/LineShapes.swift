import PurchaseEvents

extension GrowthShape {
    /// Much that happens to one subscription line.
    static let lines = [
        GrowthShape("renewals-and-openings", of: .autoRenewable) { number, log in
            log.renew("t\(number)", "o1", lasting: 2)
            log.open()
            log.open()
        },
        GrowthShape("renewals-graces-openings", of: .autoRenewable, count: 800) { number, log in
            log.renew("t\(number)", "o1", lasting: 1)
            log.fail("o1", graceEnd: log.minute + 2)
            log.open()
        },
        GrowthShape("renewals-then-openings", of: .autoRenewable) { number, log in
            log.renew("t\(number)", "o1", lasting: 1)
            log.fail("o1", graceEnd: log.minute + 9)
        } then: {
            $1.open()
        },
        GrowthShape("renewals-failures-expiries", of: .autoRenewable) { number, log in
            log.renew("t\(number)", "o1", lasting: 1)
            log.fail("o1", graceEnd: log.minute + 2)
            log.about(line: "o1", .renewalGraceExpired)
            log.about(line: "o1", .renewalExpired, "\"reason\":\"billing\"")
            log.unlock()
        },
        GrowthShape("renewals-withdrawn", of: .autoRenewable) { number, log in
            log.renew("t\(number)", "o1", lasting: 2)
            log.deliver("t\(number)")
            log.open()
            log.open()
            log.withdraw("t\(number)", "expired")
        },
        GrowthShape("renewals-newest-first", count: 12_000) { count, log in
            log.start(.autoRenewable)
            for number in 1...count {
                log.renew("t\(number)", "o1", from: 3 * (count - number), lasting: 2)
                log.fail("o1", graceEnd: 3 * (count - number))
                log.open()
            }
        },
        GrowthShape("periods-that-overlap", count: 16_000) { count, log in
            log.start(.autoRenewable)
            for number in 1...count {
                log.renew("t\(number)", "o1", from: 5, lasting: count + number)
                log.fail("o1", graceEnd: 9 * count)
            }
            for _ in 1...count { log.open() }
        },
        GrowthShape("equal-periods", of: .autoRenewable) { number, log in
            log.renew("t\(number)", "o1", from: 5, lasting: 9)
            log.fail("o1", graceEnd: 20 + number)
            log.unlock()
        },
        GrowthShape("upgrades", of: .autoRenewable) { number, log in
            log.add(
                .receiptListed,
                #""transaction":"t\#(number)","original":"o1","product":"q\#(number % 9)","#
                    + "\"purchasedAt\":\(log.time(log.minute)),\"expiresAt\":"
                    + "\(log.time(log.minute + 9)),\"upgraded\":true")
            log.withdraw("t\(number)", "upgraded")
            log.open()
        },
        GrowthShape("many-plans", of: .autoRenewable) { number, log in
            log.about(
                line: "o1", .renewalPlanChanged, "\"next\":\"q\(number)\",\"effect\":\"now\"")
            log.renew("t\(number)", "o1", "q\(number)")
            log.unlock("q\(number)")
        },
        GrowthShape("plan-changes", of: .autoRenewable) { number, log in
            log.renew("t\(number)", "o1")
            let effect = number % 2 == 0 ? "now" : "nextRenewal"
            log.about(line: "o1", .renewalPlanChanged, "\"next\":\"q\",\"effect\":\"\(effect)\"")
        },
        GrowthShape("price-increases", of: .autoRenewable) { number, log in
            log.renew("t\(number)", "o1")
            log.about(line: "o1", .renewalPriceIncreased, "\"consent\":\"pending\"")
        },
        GrowthShape("extensions-newest-first") { count, log in
            log.start(.autoRenewable)
            log.renew("t1", "o1", lasting: 5)
            for number in 1...count {
                log.add(
                    .renewalExtended, "\"original\":\"o1\",\"expiresAt\":\(log.time(9 * count))",
                    signed: 2 * count - number)
            }
            for _ in 1...count { log.open() }
        },
        GrowthShape("extensions-of-periods", of: .autoRenewable) { number, log in
            log.renew("t\(number)", "o1")
            log.about(
                "t\(number)", .renewalExtended,
                "\"original\":\"o1\",\"expiresAt\":\(log.time(log.minute + 5))")
            log.open()
        },
        GrowthShape("links-and-renewals", of: .autoRenewable) { number, log in
            log.account = "6f9619ff-8b86-4d01-b42d-00cf4fc9\(1_000 + number % 8_999)"
            log.renew("t\(number)", "o1")
            log.about(line: "o1", .accountLinked)
            log.open()
        },
        GrowthShape("refunds-and-reversals") { count, log in
            log.start(.autoRenewable)
            log.renew("t1", "o1", lasting: 9 * count)
            for _ in 1...count {
                log.refund("t1")
                log.open()
                log.about("t1", .cancellationReversed)
                log.open()
            }
        },
        GrowthShape("restores-of-one-original") { count, log in
            log.start(.nonConsumable)
            log.purchase("o1")
            for number in 1...count {
                log.restore("s\(number)", "o1")
                log.deliver("s\(number)")
                log.refund("o1")
                log.unlock()
            }
        },
        GrowthShape("links-and-restores") { count, log in
            log.start(.nonConsumable)
            log.purchase("o1")
            for number in 1...count {
                log.account = "6f9619ff-8b86-4d01-b42d-00cf4fc964f\(number % 2)"
                log.restore("s\(number)", "o1")
                log.about(line: "o1", .accountLinked)
                log.unlock()
            }
        },
        GrowthShape("lines-that-lose-transactions") { count, log in
            log.start(.autoRenewable)
            for original in ["o1", "o2", "o1"] {
                for number in 1...count { log.renew("t\(number)", original) }
            }
        },
        GrowthShape("tests-and-production", of: .autoRenewable) { number, log in
            log.renew("t\(number)", "o1")
            log.add(
                .renewalRenewed,
                "\"environment\":\"sandbox\",\"transaction\":\"t\(number)\",\"original\":\"o1\","
                    + "\"product\":\"p1\",\"purchasedAt\":\(log.time(log.minute)),"
                    + "\"expiresAt\":\(log.time(log.minute + 5))")
            log.open()
        },
    ]
}
