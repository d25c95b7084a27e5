import PurchaseEvents

/// The value of one key as a number: the handle of a name, the place of a word in its list, a time
/// in milliseconds, a flag as 0 or 1, the place of a text in its line.
extension Fact where S == Interned {
    /// The value of a key of the fact's own; `nil` where the fact doesn't say it.
    @inline(never)
    func value(of key: Key) -> Int64? {
        switch self {
        case .logOpened(let fact): fact.value(of: key)
        case .logNoted(let text): key == .text ? number(text) : nil
        case .logRecovered(let fact): fact.value(of: key)
        case .appLaunched, .paymentRestricted, .paymentAllowed, .queueObserved, .queueUnobserved,
            .restoreCompleted:
            nil
        case .catalogRequested(let product), .catalogInvalid(let product),
            .deliveryUnlocked(let product), .restoreSelected(let product):
            key == .product ? number(product) : nil
        case .catalogListed(let fact): fact.value(of: key)
        case .paymentRequested(let fact): fact.value(of: key)
        case .queuePurchasing(let payment), .queueDeferred(let payment):
            key == .payment ? number(payment) : nil
        case .queueFailed(let fact): fact.value(of: key)
        case .queuePurchased(let fact): fact.value(of: key)
        case .queueRestored(let fact): fact.value(of: key)
        case .queueFinished(let entry), .queueRemoved(let entry):
            entry.value(of: key)
        case .deliveryValidated(let fact): fact.value(of: key)
        case .deliveryPersisted(let fact): fact.value(of: key)
        case .deliveryDownload(let fact): fact.value(of: key)
        case .deliveryInstalled(let fact): fact.value(of: key)
        case .deliveryDelivered(let fact): fact.value(of: key)
        case .deliveryWithdrawn(let fact): fact.value(of: key)
        case .deliveryConsumed(let fact): fact.value(of: key)
        case .receiptRefreshed(let receipt): key == .receipt ? number(receipt) : nil
        case .receiptListed(let fact): fact.value(of: key)
        case .receiptValidated(let fact): fact.value(of: key)
        case .restoreRequested(let requester): key == .by ? number(requester) : nil
        case .restoreFailed(let fact): fact.value(of: key)
        case .renewalStarted(let fact): fact.value(of: key)
        case .renewalRenewed(let fact): fact.value(of: key)
        case .renewalFailed(let fact): fact.value(of: key)
        case .renewalGraceExpired(let original), .renewalTurnedOff(let original),
            .renewalTurnedOn(let original):
            key == .original ? number(original) : nil
        case .renewalExpired(let fact): fact.value(of: key)
        case .renewalPlanChanged(let fact): fact.value(of: key)
        case .renewalPriceIncreased(let fact): fact.value(of: key)
        case .renewalExtended(let fact): fact.value(of: key)
        case .cancellationRefunded(let fact): fact.value(of: key)
        case .cancellationRevoked(let fact): fact.value(of: key)
        case .cancellationReversed(let transaction), .cancellationRequested(let transaction),
            .cancellationDeclined(let transaction):
            key == .transaction ? number(transaction) : nil
        case .notificationReceived(let fact): fact.value(of: key)
        case .contentPublished(let fact): fact.value(of: key)
        case .contentOpened(let content): key == .content ? number(content) : nil
        case .accountLinked(let fact): fact.value(of: key)
        }
    }
}

@inline(__always)
private func number<Role>(_ name: Identifier<Role, Interned>?) -> Int64? {
    name.map { Int64($0.name.rawValue) }
}

@inline(__always)
private func number(_ time: Timestamp?) -> Int64? { time?.milliseconds }

@inline(__always)
private func number(_ flag: Bool?) -> Int64? { flag.map { $0 ? 1 : 0 } }

@inline(__always)
private func number<Word: ClosedList>(_ word: Word?) -> Int64? {
    // A word is stored as its place in the list.
    word.map { Int64(Word.pack($0)) }
}

@inline(__always)
private func number(_ currency: Currency?) -> Int64? {
    currency.map { Int64(Currency.pack($0)) }
}

@inline(__always)
private func number(_ text: TextSpan?) -> Int64? {
    text.map { Int64($0.start) << 32 | Int64($0.count) }
}

extension LogOpened where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .schema { return schema }
        if key == .chained { return number(chained) }
        if key == .app { return number(app) }
        if key == .writer { return number(writer) }
        return nil
    }
}

extension LogRecovered where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .bytes { return bytes }
        if key == .sha256 { return number(sha256) }
        if key == .file { return number(file) }
        return nil
    }
}

extension CatalogListed where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .product { return number(product) }
        if key == .kind { return number(kind) }
        if key == .group { return number(group) }
        if key == .level { return level }
        if key == .period { return number(period) }
        if key == .price { return price }
        if key == .currency { return number(currency) }
        if key == .hosted { return number(hosted) }
        if key == .family { return number(family) }
        return nil
    }
}

extension PaymentRequested where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .payment { return number(payment) }
        if key == .product { return number(product) }
        if key == .quantity { return quantity ?? 1 }
        if key == .payer { return number(payer) }
        if key == .price { return price }
        if key == .currency { return number(currency) }
        return nil
    }
}

extension QueueFailed where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .payment { return number(payment) }
        if key == .error { return number(error.text) }
        if key == .code { return code }
        return nil
    }
}

extension QueuePurchased where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .transaction { return number(transaction) }
        if key == .payment { return number(payment) }
        if key == .original { return number(original) }
        if key == .product { return number(product) }
        if key == .quantity { return quantity ?? 1 }
        if key == .purchasedAt { return number(purchasedAt) }
        if key == .originalPurchasedAt { return number(originalPurchasedAt) }
        if key == .expiresAt { return number(expiresAt) }
        if key == .price { return price }
        if key == .currency { return number(currency) }
        if key == .ownership { return number(ownership) }
        if key == .offer { return number(offer) }
        return nil
    }
}

extension QueueRestored where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .transaction { return number(transaction) }
        if key == .original { return number(original) }
        if key == .product { return number(product) }
        if key == .quantity { return quantity ?? 1 }
        if key == .purchasedAt { return number(purchasedAt) }
        if key == .originalPurchasedAt { return number(originalPurchasedAt) }
        if key == .expiresAt { return number(expiresAt) }
        if key == .ownership { return number(ownership) }
        return nil
    }
}

extension DeliveryValidated where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .transaction { return number(transaction) }
        if key == .outcome { return number(outcome) }
        if key == .status { return status }
        return nil
    }
}

extension DeliveryDownload where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .transaction { return number(transaction) }
        if key == .download { return number(download) }
        if key == .state { return number(state) }
        if key == .bytes { return bytes }
        if key == .total { return total }
        if key == .error { return number(error?.text) }
        return nil
    }
}

extension DeliveryDelivered where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .transaction { return number(transaction) }
        if key == .quantity { return quantity }
        if key == .until { return number(until) }
        return nil
    }
}

extension ReceiptListed where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .receipt { return number(receipt) }
        if key == .transaction { return number(transaction) }
        if key == .original { return number(original) }
        if key == .product { return number(product) }
        if key == .kind { return number(kind) }
        if key == .group { return number(group) }
        if key == .quantity { return quantity ?? 1 }
        if key == .purchasedAt { return number(purchasedAt) }
        if key == .originalPurchasedAt { return number(originalPurchasedAt) }
        if key == .expiresAt { return number(expiresAt) }
        if key == .cancelledAt { return number(cancelledAt) }
        if key == .upgraded { return number(upgraded) }
        if key == .ownership { return number(ownership) }
        if key == .offer { return number(offer) }
        if key == .price { return price }
        if key == .currency { return number(currency) }
        return nil
    }
}

extension ReceiptValidated where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .receipt { return number(receipt) }
        if key == .outcome { return number(outcome) }
        if key == .status { return status }
        return nil
    }
}

extension RenewalStarted where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .transaction { return number(transaction) }
        if key == .original { return number(original) }
        if key == .product { return number(product) }
        if key == .group { return number(group) }
        if key == .purchasedAt { return number(purchasedAt) }
        if key == .expiresAt { return number(expiresAt) }
        if key == .resubscribed { return number(resubscribed) }
        if key == .price { return price }
        if key == .currency { return number(currency) }
        if key == .offer { return number(offer) }
        return nil
    }
}

extension RenewalRenewed where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .transaction { return number(transaction) }
        if key == .original { return number(original) }
        if key == .product { return number(product) }
        if key == .group { return number(group) }
        if key == .purchasedAt { return number(purchasedAt) }
        if key == .expiresAt { return number(expiresAt) }
        if key == .recovered { return number(recovered) }
        if key == .price { return price }
        if key == .currency { return number(currency) }
        if key == .offer { return number(offer) }
        return nil
    }
}

extension RenewalFailed where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .original { return number(original) }
        if key == .product { return number(product) }
        if key == .retrying { return number(retrying) }
        if key == .graceExpiresAt { return number(graceExpiresAt) }
        return nil
    }
}

extension RenewalExpired where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .original { return number(original) }
        if key == .product { return number(product) }
        if key == .expiresAt { return number(expiresAt) }
        if key == .reason { return number(reason) }
        return nil
    }
}

extension RenewalPlanChanged where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .original { return number(original) }
        if key == .product { return number(product) }
        if key == .next { return number(next) }
        if key == .effect { return number(effect) }
        return nil
    }
}

extension RenewalExtended where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .original { return number(original) }
        if key == .transaction { return number(transaction) }
        if key == .expiresAt { return number(expiresAt) }
        return nil
    }
}

extension CancellationRefunded where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .transaction { return number(transaction) }
        if key == .original { return number(original) }
        if key == .cancelledAt { return number(cancelledAt) }
        if key == .reason { return number(reason) }
        if key == .percent { return percent }
        return nil
    }
}

extension CancellationRevoked where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .transaction { return number(transaction) }
        if key == .original { return number(original) }
        if key == .cancelledAt { return number(cancelledAt) }
        return nil
    }
}

extension NotificationReceived where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .notification { return number(notification) }
        if key == .name { return number(name) }
        if key == .subtype { return number(subtype) }
        if key == .version { return version }
        if key == .secret { return number(secret) }
        if key == .signature { return number(signature) }
        return nil
    }
}

extension ContentPublished where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .content { return number(content) }
        if key == .product { return number(product) }
        if key == .group { return number(group) }
        if key == .publishedAt { return number(publishedAt) }
        return nil
    }
}

extension QueueEntry where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .transaction { return number(transaction) }
        if key == .payment { return number(payment) }
        return nil
    }
}

extension DeliveryPersisted where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .transaction { return number(transaction) }
        if key == .store { return number(store) }
        return nil
    }
}

extension DeliveryInstalled where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .transaction { return number(transaction) }
        if key == .place { return number(place) }
        return nil
    }
}

extension DeliveryWithdrawn where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .transaction { return number(transaction) }
        if key == .reason { return number(reason) }
        return nil
    }
}

extension DeliveryConsumed where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .product { return number(product) }
        if key == .quantity { return quantity ?? 1 }
        return nil
    }
}

extension RestoreFailed where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .error { return number(error.text) }
        if key == .code { return code }
        return nil
    }
}

extension RenewalPriceIncreased where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .original { return number(original) }
        if key == .consent { return number(consent) }
        return nil
    }
}

extension AccountLinked where S == Interned {
    fileprivate func value(of key: Key) -> Int64? {
        if key == .original { return number(original) }
        if key == .from { return number(from) }
        return nil
    }
}
