// swift-format-ignore-file
// Written from events/violations by `UPDATE_GOLDEN=1 swift test`.
extension ViolationSamples {
    /// The samples of the table `queue`.
    static let queue: [String: String] = [
        "lifecycle": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"payment.requested","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","payment":"payment-1","produ\#
            ct":"com.example.reader.pro"}
            {"seq":3,"at":"2026-03-02T09:00:06.000Z","type":"queue.deferred","account":"6f1c2b\#
            1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","payment":"payment-1"}
            {"seq":4,"at":"2026-03-02T09:00:11.000Z","type":"queue.purchasing","account":"6f1c\#
            2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","payment":"payment-1"}
            """#,
        "observed-from-launch": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"app.launched","device":"phone-1"}
            {"seq":3,"at":"2026-03-02T09:00:02.000Z","type":"queue.purchasing","account":"6f1c\#
            2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","payment":"payment-1"}
            """#,
        "payment-comes-back": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"payment.requested","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","payment":"payment-1","produ\#
            ct":"com.example.reader.pro"}
            {"seq":3,"at":"2026-03-02T09:01:01.000Z","type":"app.launched","device":"phone-1"}
            {"seq":4,"at":"2026-03-02T09:02:01.000Z","type":"app.launched","device":"phone-1"}
            """#,
        "one-request-one-charge": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"payment.requested","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","payment":"payment-1","produ\#
            ct":"com.example.reader.pro"}
            {"seq":3,"at":"2026-03-02T09:00:06.000Z","type":"queue.purchased","account":"6f1c2\#
            b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"470001935491916\#
            3","payment":"payment-1","product":"com.example.reader.pro","purchasedAt":"2026-03\#
            -02T09:00:06.000Z"}
            {"seq":4,"at":"2026-03-02T09:00:11.000Z","type":"queue.purchased","account":"6f1c2\#
            b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"470001962753673\#
            8","payment":"payment-1","product":"com.example.reader.pro","purchasedAt":"2026-03\#
            -02T09:00:11.000Z"}
            """#,
        "presented-until-finished": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:05.000Z","type":"queue.purchased","account":"6f1c2\#
            b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"470001941509901\#
            3","product":"com.example.reader.pro","purchasedAt":"2026-03-02T09:00:05.000Z"}
            {"seq":3,"at":"2026-03-02T09:01:05.000Z","type":"app.launched","device":"phone-1"}
            {"seq":4,"at":"2026-03-02T09:01:06.000Z","type":"queue.observed","device":"phone-1\#
            "}
            {"seq":5,"at":"2026-03-02T09:01:07.000Z","type":"queue.purchasing","account":"6f1c\#
            2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","payment":"payment-1"}
            {"seq":6,"at":"2026-03-02T09:02:07.000Z","type":"app.launched","device":"phone-1"}
            """#,
        "not-presented-after-finish": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:05.000Z","type":"queue.purchased","account":"6f1c2\#
            b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"470001975396420\#
            8","product":"com.example.reader.pro","purchasedAt":"2026-03-02T09:00:05.000Z"}
            {"seq":3,"at":"2026-03-02T09:00:06.000Z","type":"delivery.persisted","account":"6f\#
            1c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"470001975396\#
            4208","store":"receipt"}
            {"seq":4,"at":"2026-03-02T09:00:07.000Z","type":"delivery.delivered","account":"6f\#
            1c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"470001975396\#
            4208"}
            {"seq":5,"at":"2026-03-02T09:00:08.000Z","type":"queue.finished","account":"6f1c2b\#
            1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"4700019753964208\#
            "}
            {"seq":6,"at":"2026-03-02T09:01:08.000Z","type":"app.launched","device":"phone-1"}
            {"seq":7,"at":"2026-03-02T09:01:09.000Z","type":"queue.observed","device":"phone-1\#
            "}
            {"seq":8,"at":"2026-03-02T09:01:10.000Z","type":"queue.purchased","account":"6f1c2\#
            b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"470001975396420\#
            8","product":"com.example.reader.pro","purchasedAt":"2026-03-02T09:00:05.000Z"}
            """#,
        "removed-implies-finished": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:05.000Z","type":"queue.purchased","account":"6f1c2\#
            b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"470001902164170\#
            7","product":"com.example.reader.pro","purchasedAt":"2026-03-02T09:00:05.000Z"}
            {"seq":3,"at":"2026-03-02T09:00:06.000Z","type":"queue.removed","account":"6f1c2b1\#
            e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"4700019021641707"\#
            }
            """#,
        "payments-allowed": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"app.launched","device":"phone-1"}
            {"seq":3,"at":"2026-03-02T09:00:02.000Z","type":"payment.restricted","device":"pho\#
            ne-1"}
            {"seq":4,"at":"2026-03-02T09:00:03.000Z","type":"payment.requested","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","payment":"payment-1","produ\#
            ct":"com.example.reader.pro"}
            """#,
        "product-listed": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"catalog.listed","device":"phone-1\#
            ","product":"com.example.reader.themes","kind":"nonConsumable"}
            {"seq":3,"at":"2026-03-02T09:00:02.000Z","type":"payment.requested","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","payment":"payment-1","produ\#
            ct":"com.example.reader.pro"}
            """#,
        "requested-is-answered": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"catalog.requested","device":"phon\#
            e-1","product":"com.example.reader.pro"}
            {"seq":3,"at":"2026-03-02T09:01:01.000Z","type":"app.launched","device":"phone-1"}
            """#,
        "quantity-sane": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"catalog.listed","device":"phone-1\#
            ","product":"com.example.coins.100","kind":"consumable"}
            {"seq":3,"at":"2026-03-02T09:00:02.000Z","type":"payment.requested","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","payment":"payment-1","produ\#
            ct":"com.example.coins.100","quantity":11}
            """#,
        "account-opaque": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"app.launched","account":"reader@e\#
            xample.com","device":"phone-1"}
            """#,
        "one-payer-per-account": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"payment.requested","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","payment":"payment-1","produ\#
            ct":"com.example.coins.100","payer":"store-account-1"}
            {"seq":3,"at":"2026-03-02T09:00:02.000Z","type":"payment.requested","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","payment":"payment-2","produ\#
            ct":"com.example.coins.100","payer":"store-account-2"}
            {"seq":4,"at":"2026-03-02T09:00:03.000Z","type":"payment.requested","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","payment":"payment-3","produ\#
            ct":"com.example.coins.100","payer":"store-account-3"}
            """#,
        "owned-not-charged-again": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:05.000Z","type":"receipt.listed","account":"6f1c2b\#
            1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"4700019448828313\#
            ","product":"com.example.reader.pro","kind":"nonConsumable","purchasedAt":"2026-03\#
            -02T08:00:00.000Z"}
            {"seq":3,"at":"2026-03-02T09:00:10.000Z","type":"queue.purchased","account":"6f1c2\#
            b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"470001922401564\#
            0","product":"com.example.reader.pro","purchasedAt":"2026-03-02T09:00:10.000Z","pr\#
            ice":4990,"currency":"USD"}
            """#,
        "interrupted-not-lost": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"payment.requested","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","payment":"payment-1","produ\#
            ct":"com.example.reader.pro"}
            {"seq":3,"at":"2026-03-02T09:00:02.000Z","type":"queue.failed","account":"6f1c2b1e\#
            -3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","payment":"payment-1","error":"in\#
            terrupted"}
            """#,
    ]
}
