/// Maps each event type to its fact and payload, in one place.
extension Fact {
    /// Reads the fact of a type from the fields of a line.
    init<R: FieldReader>(_ type: EventType, from fields: inout R) where R.S == S {
        switch type {
        case .logOpened: self = .logOpened(.init(from: &fields))
        case .logNoted: self = .logNoted(text: fields.required(.text))
        case .logRecovered: self = .logRecovered(.init(from: &fields))
        case .appLaunched: self = .appLaunched
        case .catalogRequested: self = .catalogRequested(product: fields.required(.product))
        case .catalogListed: self = .catalogListed(.init(from: &fields))
        case .catalogInvalid: self = .catalogInvalid(product: fields.required(.product))
        case .paymentRestricted: self = .paymentRestricted
        case .paymentAllowed: self = .paymentAllowed
        case .paymentRequested: self = .paymentRequested(.init(from: &fields))
        case .queueObserved: self = .queueObserved
        case .queueUnobserved: self = .queueUnobserved
        case .queuePurchasing: self = .queuePurchasing(payment: fields.required(.payment))
        case .queueDeferred: self = .queueDeferred(payment: fields.required(.payment))
        case .queueFailed: self = .queueFailed(.init(from: &fields))
        case .queuePurchased: self = .queuePurchased(.init(from: &fields))
        case .queueRestored: self = .queueRestored(.init(from: &fields))
        case .queueFinished: self = .queueFinished(entry: .init(from: &fields))
        case .queueRemoved: self = .queueRemoved(entry: .init(from: &fields))
        case .deliveryValidated: self = .deliveryValidated(.init(from: &fields))
        case .deliveryPersisted: self = .deliveryPersisted(.init(from: &fields))
        case .deliveryDownload: self = .deliveryDownload(.init(from: &fields))
        case .deliveryInstalled: self = .deliveryInstalled(.init(from: &fields))
        case .deliveryDelivered: self = .deliveryDelivered(.init(from: &fields))
        case .deliveryWithdrawn: self = .deliveryWithdrawn(.init(from: &fields))
        case .deliveryUnlocked: self = .deliveryUnlocked(product: fields.required(.product))
        case .deliveryConsumed: self = .deliveryConsumed(.init(from: &fields))
        case .receiptRefreshed: self = .receiptRefreshed(receipt: fields.required(.receipt))
        case .receiptListed: self = .receiptListed(.init(from: &fields))
        case .receiptValidated: self = .receiptValidated(.init(from: &fields))
        case .restoreRequested: self = .restoreRequested(by: fields.required(.by))
        case .restoreSelected: self = .restoreSelected(product: fields.required(.product))
        case .restoreCompleted: self = .restoreCompleted
        case .restoreFailed: self = .restoreFailed(.init(from: &fields))
        case .renewalStarted: self = .renewalStarted(.init(from: &fields))
        case .renewalRenewed: self = .renewalRenewed(.init(from: &fields))
        case .renewalFailed: self = .renewalFailed(.init(from: &fields))
        case .renewalGraceExpired: self = .renewalGraceExpired(original: fields.required(.original))
        case .renewalExpired: self = .renewalExpired(.init(from: &fields))
        case .renewalTurnedOff:
            self = .renewalTurnedOff(
                original: fields.required(.original), commitment: fields.optional(.commitment))
        case .renewalTurnedOn:
            self = .renewalTurnedOn(
                original: fields.required(.original), commitment: fields.optional(.commitment))
        case .renewalPlanChanged: self = .renewalPlanChanged(.init(from: &fields))
        case .renewalPriceIncreased: self = .renewalPriceIncreased(.init(from: &fields))
        case .renewalExtended: self = .renewalExtended(.init(from: &fields))
        case .cancellationRefunded: self = .cancellationRefunded(.init(from: &fields))
        case .cancellationRevoked: self = .cancellationRevoked(.init(from: &fields))
        case .cancellationReversed:
            self = .cancellationReversed(transaction: fields.required(.transaction))
        case .cancellationRequested:
            self = .cancellationRequested(transaction: fields.required(.transaction))
        case .cancellationDeclined:
            self = .cancellationDeclined(transaction: fields.required(.transaction))
        case .notificationReceived: self = .notificationReceived(.init(from: &fields))
        case .contentPublished: self = .contentPublished(.init(from: &fields))
        case .contentOpened: self = .contentOpened(content: fields.required(.content))
        case .accountLinked: self = .accountLinked(.init(from: &fields))
        }
    }
}

extension Fact {
    /// Writes the keys of the fact in the canonical order.
    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        switch self {
        case .logOpened(let fact): try fact.write(to: &fields)
        case .logNoted(let text): try fields.write(.text, text)
        case .logRecovered(let fact): try fact.write(to: &fields)
        case .appLaunched, .paymentRestricted, .paymentAllowed, .queueObserved, .queueUnobserved,
            .restoreCompleted:
            break
        case .catalogRequested(let product), .catalogInvalid(let product),
            .deliveryUnlocked(let product), .restoreSelected(let product):
            try fields.write(.product, product)
        case .catalogListed(let fact): try fact.write(to: &fields)
        case .paymentRequested(let fact): try fact.write(to: &fields)
        case .queuePurchasing(let payment), .queueDeferred(let payment):
            try fields.write(.payment, payment)
        case .queueFailed(let fact): try fact.write(to: &fields)
        case .queuePurchased(let fact): try fact.write(to: &fields)
        case .queueRestored(let fact): try fact.write(to: &fields)
        case .queueFinished(let entry), .queueRemoved(let entry): try entry.write(to: &fields)
        case .deliveryValidated(let fact): try fact.write(to: &fields)
        case .deliveryPersisted(let fact): try fact.write(to: &fields)
        case .deliveryDownload(let fact): try fact.write(to: &fields)
        case .deliveryInstalled(let fact): try fact.write(to: &fields)
        case .deliveryDelivered(let fact): try fact.write(to: &fields)
        case .deliveryWithdrawn(let fact): try fact.write(to: &fields)
        case .deliveryConsumed(let fact): try fact.write(to: &fields)
        case .receiptRefreshed(let receipt): try fields.write(.receipt, receipt)
        case .receiptListed(let fact): try fact.write(to: &fields)
        case .receiptValidated(let fact): try fact.write(to: &fields)
        case .restoreRequested(let by): try fields.write(.by, by)
        case .restoreFailed(let fact): try fact.write(to: &fields)
        case .renewalStarted(let fact): try fact.write(to: &fields)
        case .renewalRenewed(let fact): try fact.write(to: &fields)
        case .renewalFailed(let fact): try fact.write(to: &fields)
        case .renewalGraceExpired(let original): try fields.write(.original, original)
        case .renewalExpired(let fact): try fact.write(to: &fields)
        case .renewalTurnedOff(let original, let commitment),
            .renewalTurnedOn(let original, let commitment):
            try fields.write(.original, original)
            try fields.write(.commitment, commitment)
        case .renewalPlanChanged(let fact): try fact.write(to: &fields)
        case .renewalPriceIncreased(let fact): try fact.write(to: &fields)
        case .renewalExtended(let fact): try fact.write(to: &fields)
        case .cancellationRefunded(let fact): try fact.write(to: &fields)
        case .cancellationRevoked(let fact): try fact.write(to: &fields)
        case .cancellationReversed(let id), .cancellationRequested(let id),
            .cancellationDeclined(let id):
            try fields.write(.transaction, id)
        case .notificationReceived(let fact): try fact.write(to: &fields)
        case .contentPublished(let fact): try fact.write(to: &fields)
        case .contentOpened(let content): try fields.write(.content, content)
        case .accountLinked(let fact): try fact.write(to: &fields)
        }
    }
}
