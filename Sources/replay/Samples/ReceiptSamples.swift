// swift-format-ignore-file
// Written from events/violations by `UPDATE_GOLDEN=1 swift test`.
extension ViolationSamples {
    /// The samples of the table `receipt`.
    static let receipt: [String: String] = [
        "restored-has-original": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"restore.requested","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","by":"user"}
            {"seq":3,"at":"2026-03-02T09:00:02.000Z","type":"queue.restored","account":"6f1c2b\#
            1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"4700019439860617\#
            ","original":"4700019439860617","product":"com.example.reader.pro","purchasedAt":"\#
            2026-03-02T09:00:02.000Z"}
            {"seq":4,"at":"2026-03-02T09:00:03.000Z","type":"restore.completed","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1"}
            """#,
        "restored-to-owner": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:05.000Z","type":"receipt.listed","account":"6f1c2b\#
            1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"4700019826762794\#
            ","product":"com.example.reader.pro","kind":"nonConsumable","purchasedAt":"2026-03\#
            -02T08:00:00.000Z"}
            {"seq":3,"at":"2026-03-02T09:00:06.000Z","type":"restore.requested","account":"b80\#
            e47d2-91c6-4f0b-a3de-5c1f7a2946e0","device":"phone-1","by":"user"}
            {"seq":4,"at":"2026-03-02T09:00:07.000Z","type":"queue.restored","account":"b80e47\#
            d2-91c6-4f0b-a3de-5c1f7a2946e0","device":"phone-1","transaction":"4700019280557675\#
            ","original":"4700019826762794","product":"com.example.reader.pro","purchasedAt":"\#
            2026-03-02T09:00:07.000Z"}
            {"seq":5,"at":"2026-03-02T09:00:08.000Z","type":"restore.completed","account":"b80\#
            e47d2-91c6-4f0b-a3de-5c1f7a2946e0","device":"phone-1"}
            {"seq":6,"at":"2026-03-02T09:00:09.000Z","type":"delivery.delivered","account":"b8\#
            0e47d2-91c6-4f0b-a3de-5c1f7a2946e0","device":"phone-1","transaction":"470001928055\#
            7675"}
            """#,
        "restore-ends": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"queue.restored","account":"6f1c2b\#
            1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"4700019771463175\#
            ","original":"4700019704427656","product":"com.example.reader.pro","purchasedAt":"\#
            2026-03-02T09:00:01.000Z"}
            """#,
        "restore-asked-by-user": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"restore.requested","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","by":"app"}
            {"seq":3,"at":"2026-03-02T09:00:02.000Z","type":"restore.completed","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1"}
            """#,
        "restore-grants-all": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:05.000Z","type":"receipt.listed","account":"6f1c2b\#
            1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"4700019125133525\#
            ","product":"com.example.reader.pro","kind":"nonConsumable","purchasedAt":"2026-03\#
            -02T08:00:00.000Z"}
            {"seq":3,"at":"2026-03-02T09:00:06.000Z","type":"restore.requested","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","by":"user"}
            {"seq":4,"at":"2026-03-02T09:00:07.000Z","type":"restore.completed","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1"}
            """#,
        "refresh-changes-nothing": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"receipt.refreshed","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","receipt":"receipt-1"}
            {"seq":3,"at":"2026-03-02T09:00:06.000Z","type":"receipt.refreshed","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","receipt":"receipt-2"}
            {"seq":4,"at":"2026-03-02T09:00:06.000Z","type":"receipt.listed","account":"6f1c2b\#
            1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","receipt":"receipt-2","transact\#
            ion":"4700019391520345","product":"com.example.reader.pro","purchasedAt":"2026-03-\#
            02T08:00:00.000Z"}
            """#,
        "receipt-keeps-its-own": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"receipt.refreshed","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","receipt":"receipt-1"}
            {"seq":3,"at":"2026-03-02T09:00:01.000Z","type":"receipt.listed","account":"6f1c2b\#
            1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","receipt":"receipt-1","transact\#
            ion":"4700019110010458","product":"com.example.reader.pro","kind":"nonConsumable",\#
            "purchasedAt":"2026-03-02T08:00:00.000Z"}
            {"seq":4,"at":"2026-03-02T09:01:01.000Z","type":"app.launched","account":"6f1c2b1e\#
            -3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1"}
            {"seq":5,"at":"2026-03-02T09:01:02.000Z","type":"receipt.refreshed","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","receipt":"receipt-2"}
            """#,
        "persisted-where-it-fits": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:05.000Z","type":"receipt.listed","account":"6f1c2b\#
            1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"4700019741063249\#
            ","product":"com.example.coins.100","kind":"consumable","purchasedAt":"2026-03-02T\#
            08:00:00.000Z"}
            {"seq":3,"at":"2026-03-02T09:00:06.000Z","type":"delivery.persisted","account":"6f\#
            1c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"470001974106\#
            3249","store":"receipt"}
            """#,
        "purchase-in-receipt": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"catalog.listed","device":"phone-1\#
            ","product":"com.example.reader.pro","kind":"nonConsumable"}
            {"seq":3,"at":"2026-03-02T09:00:06.000Z","type":"queue.purchased","account":"6f1c2\#
            b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"470001971299242\#
            3","product":"com.example.reader.pro","purchasedAt":"2026-03-02T09:00:06.000Z"}
            {"seq":4,"at":"2026-03-02T09:00:07.000Z","type":"delivery.persisted","account":"6f\#
            1c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"470001971299\#
            2423","store":"receipt"}
            {"seq":5,"at":"2026-03-02T09:00:08.000Z","type":"delivery.delivered","account":"6f\#
            1c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"470001971299\#
            2423"}
            {"seq":6,"at":"2026-03-02T09:00:09.000Z","type":"queue.finished","account":"6f1c2b\#
            1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","transaction":"4700019712992423\#
            "}
            {"seq":7,"at":"2026-03-02T09:01:09.000Z","type":"receipt.refreshed","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","receipt":"receipt-1"}
            """#,
        "validated-in-both": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"receipt.validated","account":"6f1\#
            c2b1e-3d47-4a90-8c55-2b7e90d1f3a8","device":"phone-1","receipt":"receipt-1","outco\#
            me":"invalid","status":21007}
            """#,
    ]
}
