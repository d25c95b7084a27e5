import PurchaseEvents

extension Mutation {
    /// Events that should not have been there.
    static let ofAdditions: [Mutation] = [
        Mutation("a second purchase of the payment") { log, index in
            guard log[index].type == .queuePurchased, log[index][.payment] != nil else { return [] }
            let second = log[index].with([.transaction: "777777777777777", .id: nil])
            return [log.inserting(second, at: index + 1)]
        },
        Mutation("bought again without a request") { log, index in
            guard log[index].type == .queuePurchased else { return [] }
            let second = log[index].with([
                .transaction: "777777777777777", .original: nil, .payment: nil, .id: nil,
                .price: "4990", .currency: "EUR",
            ])
            return [log + [second.with([.at: log[log.count - 1][.at]])]]
        },
        Mutation("presented again by another device") { log, index in
            guard log[index].type == .queuePurchased else { return [] }
            let again = log[index].with([.device: "another-device", .id: nil])
            return [log.inserting(again, at: index + 1)]
        },
        added("a refund before the delivery", .deliveryDelivered, after: false) { row in
            refund(row)
        },
        added("a revocation before the delivery", .deliveryDelivered, after: false) { row in
            MutableRow(
                .cancellationRevoked, besides: row,
                [.transaction: row[.transaction] ?? "", .cancelledAt: row[.at] ?? ""])
        },
        added("a refund after the delivery", .deliveryDelivered, after: true) { refund($0) },
        added("validated as invalid before the delivery", .deliveryDelivered, after: false) {
            MutableRow(
                .deliveryValidated, besides: $0,
                [.transaction: $0[.transaction] ?? "", .outcome: "invalid"])
        },
        added("withdrawn while it is owed", .deliveryDelivered, after: true) {
            withdrawal($0, "refunded")
        },
        added("withdrawn as expired while it is owed", .deliveryDelivered, after: true) {
            withdrawal($0, "expired")
        },
        added("finished at once", .queuePurchased, after: true) { row in
            MutableRow(.queueFinished, besides: row, [.transaction: row[.transaction] ?? ""])
        },
        added("delivered at once", .queueDeferred, after: true) { row in
            MutableRow(.deliveryDelivered, besides: row, [.transaction: "666666666666666"])
        },
        added("finished while it is requested", .paymentRequested, after: true) { entry($0) },
        added("finished while it is purchased", .queuePurchasing, after: true) { entry($0) },
        added("finished while it is deferred", .queueDeferred, after: true) { entry($0) },
        added("failed after the purchase", .queuePurchased, after: true) { row in
            guard let payment = row[.payment] else { return nil }
            return MutableRow(
                .queueFailed, besides: row, [.payment: payment, .error: "cancelled"])
        },
        added("removed before it is finished", .queueFinished, after: false) { row in
            let names = [Key.transaction, .payment].compactMap { key in
                row[key].map { (key, $0) }
            }
            return MutableRow(.queueRemoved, besides: row, Dictionary(uniqueKeysWithValues: names))
        },
        Mutation("the observer removed") { log, index in
            guard queue.contains(log[index].type) else { return [] }
            return [
                log.inserting(MutableRow(.queueUnobserved, besides: log[index], [:]), at: index)
            ]
        },
        added("restricted before the request", .paymentRequested, after: false) {
            MutableRow(.paymentRestricted, besides: $0, [:])
        },
        Mutation("three launches at the end") { log, index in
            guard index == log.count - 1 else { return [] }
            let launch = MutableRow(.appLaunched, besides: log[index], [:])
            let observer = MutableRow(.queueObserved, besides: log[index], [:])
            return [log + [launch, observer, launch, observer, launch, observer]]
        },
        Mutation("presented at three more launches and never finished") { log, index in
            guard log[index].type == .queuePurchased, let last = log.last else { return [] }
            let open = log.filter {
                $0.subject != log[index].subject
                    || !EventTypes(.queueFinished, .queueRemoved).contains($0.type)
            }
            let launch = [
                MutableRow(.appLaunched, besides: last, [.device: log[index][.device] ?? ""]),
                MutableRow(.queueObserved, besides: last, [.device: log[index][.device] ?? ""]),
                log[index].with([.at: last[.at], .id: nil]),
            ]
            return open == log ? [] : [open + launch + launch + launch]
        },
        Mutation("refunded before the content is opened") { log, index in
            guard log[index].type == .contentOpened else { return [] }
            let known = Set(
                log[..<index].filter { $0[.purchasedAt] != nil }.compactMap {
                    $0[.transaction]
                })
            guard !known.isEmpty else { return [] }
            let refunds = known.sorted().map { transaction in
                refund(log[index].with([:]), transaction)
            }
            return [Array(log[..<index] + refunds + log[index...])]
        },
        Mutation("paid for by three") { log, index in
            guard log[index].type == .paymentRequested, log[index][.account] != nil else {
                return []
            }
            let requests = (1...3).map {
                log[index].with([.payment: "payment-\($0)", .payer: "payer-\($0)", .id: nil])
            }
            return [Array(log[...index] + requests + log[(index + 1)...])]
        },
        Mutation("a second line in the group") { log, index in
            guard let group = log[index][.group], log[index][.expiresAt] != nil else { return [] }
            let second = log[index].with([
                .transaction: "555555555555555", .original: "555555555555555", .group: group,
                .id: nil,
            ])
            return [log.inserting(second, at: index + 1)]
        },
        Mutation("eight renewals within the hour") { log, index in
            guard EventTypes(.queuePurchased, .renewalRenewed).contains(log[index].type),
                log[index][.original] != nil, let end = log[index].time(.expiresAt)
            else { return [] }
            let renewals = (0..<8).map { number in
                let start = end.advanced(byMilliseconds: Int64(number) * 5 * Timestamp.minute)
                return log[index].with([
                    .transaction: "44444444444444\(number)", .purchasedAt: start.text,
                    .expiresAt: start.advanced(byMilliseconds: 5 * Timestamp.minute).text,
                    .id: nil,
                ])
            }
            return [Array(log[...index] + renewals + log[(index + 1)...])]
        },
        Mutation("the snapshot again, a row less") { log, index in
            guard log[index].type == .receiptListed,
                let start = log[..<index].lastIndex(where: { $0.type == .receiptRefreshed }),
                log[start][.receipt] == log[index][.receipt]
            else { return [] }
            let end =
                log[start...].firstIndex {
                    $0.type != .receiptListed && $0.type != .receiptRefreshed
                } ?? log.count
            let again = (start..<end).filter { $0 != index }.map {
                log[$0].with([.receipt: "another-receipt", .id: nil, .at: log[end - 1][.at]])
            }
            return [Array(log[..<end] + again + log[end...])]
        },
        Mutation("stated again by its notification") { log, index in
            guard let source = log[index][.source], let last = log.last,
                let received = log.first(where: {
                    $0.type == .notificationReceived && $0[.notification] == source
                })
            else { return [] }
            let again = [received, log[index]].map { $0.with([.id: nil, .at: last[.at]]) }
            return [log + again]
        },
        added("linked to another account before", .deliveryDelivered, after: false) { row in
            MutableRow(
                .accountLinked, besides: row,
                [.original: row[.transaction] ?? "", .account: stranger])
        },
        added("more consumed than delivered", .deliveryConsumed, after: true) {
            $0.with([.quantity: "1000000", .id: nil])
        },
        added("a catalogue request at the launch", .appLaunched, after: false) {
            MutableRow(.catalogRequested, besides: $0, [.product: "com.example.never"])
        },
    ]

    /// Adds an event next to each event of a type.
    private static func added(
        _ name: String, _ type: EventType, after: Bool,
        _ row: @escaping @Sendable (MutableRow) -> MutableRow?
    ) -> Mutation {
        Mutation(name) { log, index in
            guard log[index].type == type, let added = row(log[index]) else { return [] }
            return [log.inserting(added, at: after ? index + 1 : index)]
        }
    }

    private static func refund(_ row: MutableRow, _ transaction: String? = nil) -> MutableRow {
        MutableRow(
            .cancellationRefunded, besides: row,
            [
                .transaction: transaction ?? row[.transaction] ?? "", .cancelledAt: row[.at] ?? "",
            ])
    }

    private static func withdrawal(_ row: MutableRow, _ reason: String) -> MutableRow {
        MutableRow(
            .deliveryWithdrawn, besides: row,
            [.transaction: row[.transaction] ?? "", .reason: reason])
    }

    private static func entry(_ row: MutableRow) -> MutableRow {
        MutableRow(.queueFinished, besides: row, [.payment: row[.payment] ?? ""])
    }
}
