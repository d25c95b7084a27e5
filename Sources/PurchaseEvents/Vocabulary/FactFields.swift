/// Maps each event type to its fact and payload, in one place.
extension Fact {
    /// Each case returns at once: a debug build would copy the result of one `switch`, and look up
    /// the types of all cases.
    static func read<R: FieldReader>(_ type: EventType, from fields: inout R) -> Fact
    where R.S == S {
        switch type {
        case .logOpened: return .logOpened(.init(from: &fields))
        case .logNoted: return .logNoted(text: fields.required(.text))
        case .logRecovered: return .logRecovered(.init(from: &fields))
        case .appLaunched: return .appLaunched
        case .catalogRequested: return .catalogRequested(product: fields.required(.product))
        case .catalogListed: return .catalogListed(.init(from: &fields))
        case .catalogInvalid: return .catalogInvalid(product: fields.required(.product))
        case .paymentRestricted: return .paymentRestricted
        case .paymentAllowed: return .paymentAllowed
        case .paymentRequested: return .paymentRequested(.init(from: &fields))
        case .queueObserved: return .queueObserved
        case .queueUnobserved: return .queueUnobserved
        case .queuePurchasing: return .queuePurchasing(payment: fields.required(.payment))
        case .queueDeferred: return .queueDeferred(payment: fields.required(.payment))
        case .queueFailed: return .queueFailed(.init(from: &fields))
        case .queuePurchased: return .queuePurchased(.init(from: &fields))
        case .queueRestored: return .queueRestored(.init(from: &fields))
        case .queueFinished: return .queueFinished(entry: .init(from: &fields))
        case .queueRemoved: return .queueRemoved(entry: .init(from: &fields))
        case .deliveryValidated: return .deliveryValidated(.init(from: &fields))
        case .deliveryPersisted: return .deliveryPersisted(.init(from: &fields))
        case .deliveryDownload: return .deliveryDownload(.init(from: &fields))
        case .deliveryInstalled: return .deliveryInstalled(.init(from: &fields))
        case .deliveryDelivered: return .deliveryDelivered(.init(from: &fields))
        case .deliveryWithdrawn: return .deliveryWithdrawn(.init(from: &fields))
        case .deliveryUnlocked: return .deliveryUnlocked(product: fields.required(.product))
        case .deliveryConsumed: return .deliveryConsumed(.init(from: &fields))
        case .receiptRefreshed: return .receiptRefreshed(receipt: fields.required(.receipt))
        case .receiptListed: return .receiptListed(.init(from: &fields))
        case .receiptValidated: return .receiptValidated(.init(from: &fields))
        case .restoreRequested: return .restoreRequested(by: fields.required(.by))
        case .restoreSelected: return .restoreSelected(product: fields.required(.product))
        case .restoreCompleted: return .restoreCompleted
        case .restoreFailed: return .restoreFailed(.init(from: &fields))
        case .renewalStarted: return .renewalStarted(.init(from: &fields))
        case .renewalRenewed: return .renewalRenewed(.init(from: &fields))
        case .renewalFailed: return .renewalFailed(.init(from: &fields))
        case .renewalGraceExpired: return .renewalGraceExpired(original: fields.required(.original))
        case .renewalExpired: return .renewalExpired(.init(from: &fields))
        case .renewalTurnedOff:
            return .renewalTurnedOff(
                original: fields.required(.original), commitment: fields.optional(.commitment))
        case .renewalTurnedOn:
            return .renewalTurnedOn(
                original: fields.required(.original), commitment: fields.optional(.commitment))
        case .renewalPlanChanged: return .renewalPlanChanged(.init(from: &fields))
        case .renewalPriceIncreased: return .renewalPriceIncreased(.init(from: &fields))
        case .renewalExtended: return .renewalExtended(.init(from: &fields))
        case .cancellationRefunded: return .cancellationRefunded(.init(from: &fields))
        case .cancellationRevoked: return .cancellationRevoked(.init(from: &fields))
        case .cancellationReversed:
            return .cancellationReversed(transaction: fields.required(.transaction))
        case .cancellationRequested:
            return .cancellationRequested(transaction: fields.required(.transaction))
        case .cancellationDeclined:
            return .cancellationDeclined(transaction: fields.required(.transaction))
        case .notificationReceived: return .notificationReceived(.init(from: &fields))
        case .contentPublished: return .contentPublished(.init(from: &fields))
        case .contentOpened: return .contentOpened(content: fields.required(.content))
        case .accountLinked: return .accountLinked(.init(from: &fields))
        }
    }
}

extension Fact {
    func write(to fields: inout (some FieldWriter<S> & ~Copyable)) throws(WritingProblem) {
        switch copy(of: self) {
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
