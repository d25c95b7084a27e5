import PurchaseEvents

extension Mutation {
    /// Events lost, duplicated and moved; `seq` is renumbered and each place keeps its time.
    static let ofOrder: [Mutation] = [
        Mutation("dropped") { log, index in [log.dropping(index)] },
        Mutation("doubled") { log, index in
            let id = log[index][.id].map { "\($0)-again" }
            return [log.inserting(log[index].with([.id: id]), at: index + 1)]
        },
        Mutation("doubled with its id") { log, index in
            log[index][.id] == nil ? [] : [log.inserting(log[index], at: index + 1)]
        },
        Mutation("everything after dropped") { log, index in
            index + 1 < log.count ? [Array(log[...index])] : []
        },
        Mutation("swapped with the next") { log, index in
            index + 1 < log.count ? [log.moving(index, to: index + 1)] : []
        },
        Mutation("moved to the end") { log, index in
            index + 2 < log.count ? [log.moving(index, to: log.count - 1)] : []
        },
        Mutation("moved after its finish") { log, index in
            guard let subject = log[index].subject, log[index].type != .queueFinished,
                let finish = log.indices.first(where: {
                    $0 > index && log[$0].type == .queueFinished && log[$0].subject == subject
                })
            else { return [] }
            return [log.moving(index, to: finish)]
        },
        Mutation("moved before what it is about") { log, index in
            guard let subject = log[index].subject,
                let first = log.firstIndex(where: { $0.subject == subject }), first < index
            else { return [] }
            return [log.moving(index, to: first)]
        },
        Mutation("moved before its request") { log, index in
            guard let payment = log[index][.payment],
                let request = log[..<index].lastIndex(where: {
                    $0.type == .paymentRequested && $0[.payment] == payment
                })
            else { return [] }
            return [log.moving(index, to: request)]
        },
        before("moved before the launch", .appLaunched, queue.union(acts)),
        before("moved before the observer", .queueObserved, queue),
        before("moved before its restore", .restoreRequested, EventTypes(.queueRestored)),
        before("moved before its snapshot", .receiptRefreshed, EventTypes(.receiptListed)),
        ownBefore("finished before it is delivered", .queueFinished, .deliveryDelivered),
        ownBefore("finished before it is persisted", .queueFinished, .deliveryPersisted),
        ownBefore("finished before it is downloaded", .queueFinished, .deliveryDownload),
        ownBefore("finished before it is installed", .queueFinished, .deliveryInstalled),
        ownBefore("delivered before it is validated", .deliveryDelivered, .deliveryValidated),
        ownBefore("installed before it is downloaded", .deliveryInstalled, .deliveryDownload),
        ownBefore("withdrawn before the refund", .deliveryWithdrawn, .cancellationRefunded),
    ]

    static let queue = EventTypes(
        .queuePurchasing, .queueDeferred, .queueFailed, .queuePurchased, .queueRestored,
        .queueRemoved)

    static let acts = EventTypes(
        .paymentRequested, .queueFinished, .deliveryDelivered, .deliveryPersisted,
        .deliveryWithdrawn, .deliveryUnlocked, .contentOpened)

    /// An event moved before the latest one of a type before it.
    private static func before(
        _ name: String, _ type: EventType, _ types: EventTypes
    ) -> Mutation {
        Mutation(name) { log, index in
            guard types.contains(log[index].type), log[index].type != type,
                let place = log[..<index].lastIndex(where: { $0.type == type })
            else { return [] }
            return [log.moving(index, to: place)]
        }
    }

    /// An event moved before the latest one of a type about the same transaction.
    private static func ownBefore(
        _ name: String, _ type: EventType, _ other: EventType
    ) -> Mutation {
        Mutation(name) { log, index in
            guard log[index].type == type, let subject = log[index].subject,
                let place = log[..<index].lastIndex(where: {
                    $0.type == other && $0.subject == subject
                })
            else { return [] }
            return [log.moving(index, to: place)]
        }
    }
}
