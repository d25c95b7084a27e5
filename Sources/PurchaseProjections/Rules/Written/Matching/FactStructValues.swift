import PurchaseEvents

// The values of the keys of each payload struct, for ``Fact/value(of:)``.

extension LogOpened where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .schema { return schema }
        if key == .chained { return factNumber(chained) }
        if key == .app { return factNumber(app) }
        if key == .writer { return factNumber(writer) }
        return nil
    }
}

extension LogRecovered where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .bytes { return bytes }
        if key == .sha256 { return factNumber(sha256) }
        if key == .file { return factNumber(file) }
        return nil
    }
}

extension CatalogListed where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .product { return factNumber(product) }
        if key == .kind { return factNumber(kind) }
        if key == .group { return factNumber(group) }
        if key == .level { return level }
        if key == .period { return factNumber(period) }
        if key == .price { return price }
        if key == .currency { return factNumber(currency) }
        if key == .hosted { return factNumber(hosted) }
        if key == .family { return factNumber(family) }
        return nil
    }
}

extension PaymentRequested where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .payment { return factNumber(payment) }
        if key == .product { return factNumber(product) }
        if key == .quantity { return quantity ?? 1 }
        if key == .payer { return factNumber(payer) }
        if key == .price { return price }
        if key == .currency { return factNumber(currency) }
        return nil
    }
}

extension QueueFailed where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .payment { return factNumber(payment) }
        if key == .error { return factNumber(error.text) }
        if key == .code { return code }
        return nil
    }
}

extension QueuePurchased where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .transaction { return factNumber(transaction) }
        if key == .payment { return factNumber(payment) }
        if key == .original { return factNumber(original) }
        if key == .product { return factNumber(product) }
        if key == .quantity { return quantity ?? 1 }
        if key == .purchasedAt { return factNumber(purchasedAt) }
        if key == .originalPurchasedAt { return factNumber(originalPurchasedAt) }
        if key == .expiresAt { return factNumber(expiresAt) }
        if key == .price { return price }
        if key == .currency { return factNumber(currency) }
        if key == .ownership { return factNumber(ownership) }
        if key == .offer { return factNumber(offer) }
        return nil
    }
}

extension QueueRestored where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .transaction { return factNumber(transaction) }
        if key == .original { return factNumber(original) }
        if key == .product { return factNumber(product) }
        if key == .quantity { return quantity ?? 1 }
        if key == .purchasedAt { return factNumber(purchasedAt) }
        if key == .originalPurchasedAt { return factNumber(originalPurchasedAt) }
        if key == .expiresAt { return factNumber(expiresAt) }
        if key == .ownership { return factNumber(ownership) }
        return nil
    }
}

extension DeliveryValidated where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .transaction { return factNumber(transaction) }
        if key == .outcome { return factNumber(outcome) }
        if key == .status { return status }
        return nil
    }
}

extension DeliveryDownload where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .transaction { return factNumber(transaction) }
        if key == .download { return factNumber(download) }
        if key == .state { return factNumber(state) }
        if key == .bytes { return bytes }
        if key == .total { return total }
        if key == .error { return factNumber(error?.text) }
        return nil
    }
}

extension DeliveryDelivered where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .transaction { return factNumber(transaction) }
        if key == .quantity { return quantity }
        if key == .until { return factNumber(until) }
        return nil
    }
}

extension ReceiptListed where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .receipt { return factNumber(receipt) }
        if key == .transaction { return factNumber(transaction) }
        if key == .original { return factNumber(original) }
        if key == .product { return factNumber(product) }
        if key == .kind { return factNumber(kind) }
        if key == .group { return factNumber(group) }
        if key == .quantity { return quantity ?? 1 }
        if key == .purchasedAt { return factNumber(purchasedAt) }
        if key == .originalPurchasedAt { return factNumber(originalPurchasedAt) }
        if key == .expiresAt { return factNumber(expiresAt) }
        if key == .cancelledAt { return factNumber(cancelledAt) }
        if key == .upgraded { return factNumber(upgraded) }
        if key == .ownership { return factNumber(ownership) }
        if key == .offer { return factNumber(offer) }
        if key == .price { return price }
        if key == .currency { return factNumber(currency) }
        return nil
    }
}

extension ReceiptValidated where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .receipt { return factNumber(receipt) }
        if key == .outcome { return factNumber(outcome) }
        if key == .status { return status }
        return nil
    }
}

extension RenewalStarted where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .transaction { return factNumber(transaction) }
        if key == .original { return factNumber(original) }
        if key == .product { return factNumber(product) }
        if key == .group { return factNumber(group) }
        if key == .purchasedAt { return factNumber(purchasedAt) }
        if key == .expiresAt { return factNumber(expiresAt) }
        if key == .resubscribed { return factNumber(resubscribed) }
        if key == .price { return price }
        if key == .currency { return factNumber(currency) }
        if key == .offer { return factNumber(offer) }
        return nil
    }
}

extension RenewalRenewed where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .transaction { return factNumber(transaction) }
        if key == .original { return factNumber(original) }
        if key == .product { return factNumber(product) }
        if key == .group { return factNumber(group) }
        if key == .purchasedAt { return factNumber(purchasedAt) }
        if key == .expiresAt { return factNumber(expiresAt) }
        if key == .recovered { return factNumber(recovered) }
        if key == .price { return price }
        if key == .currency { return factNumber(currency) }
        if key == .offer { return factNumber(offer) }
        return nil
    }
}

extension RenewalFailed where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .original { return factNumber(original) }
        if key == .product { return factNumber(product) }
        if key == .retrying { return factNumber(retrying) }
        if key == .graceExpiresAt { return factNumber(graceExpiresAt) }
        return nil
    }
}

extension RenewalExpired where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .original { return factNumber(original) }
        if key == .product { return factNumber(product) }
        if key == .expiresAt { return factNumber(expiresAt) }
        if key == .reason { return factNumber(reason) }
        return nil
    }
}

extension RenewalPlanChanged where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .original { return factNumber(original) }
        if key == .product { return factNumber(product) }
        if key == .next { return factNumber(next) }
        if key == .effect { return factNumber(effect) }
        return nil
    }
}

extension RenewalExtended where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .original { return factNumber(original) }
        if key == .transaction { return factNumber(transaction) }
        if key == .expiresAt { return factNumber(expiresAt) }
        return nil
    }
}

extension CancellationRefunded where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .transaction { return factNumber(transaction) }
        if key == .original { return factNumber(original) }
        if key == .cancelledAt { return factNumber(cancelledAt) }
        if key == .reason { return factNumber(reason) }
        if key == .percent { return percent }
        return nil
    }
}

extension CancellationRevoked where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .transaction { return factNumber(transaction) }
        if key == .original { return factNumber(original) }
        if key == .cancelledAt { return factNumber(cancelledAt) }
        return nil
    }
}

extension NotificationReceived where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .notification { return factNumber(notification) }
        if key == .name { return factNumber(name) }
        if key == .subtype { return factNumber(subtype) }
        if key == .version { return version }
        if key == .secret { return factNumber(secret) }
        if key == .signature { return factNumber(signature) }
        return nil
    }
}

extension ContentPublished where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .content { return factNumber(content) }
        if key == .product { return factNumber(product) }
        if key == .group { return factNumber(group) }
        if key == .publishedAt { return factNumber(publishedAt) }
        return nil
    }
}

extension QueueEntry where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .transaction { return factNumber(transaction) }
        if key == .payment { return factNumber(payment) }
        return nil
    }
}

extension DeliveryPersisted where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .transaction { return factNumber(transaction) }
        if key == .store { return factNumber(store) }
        return nil
    }
}

extension DeliveryInstalled where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .transaction { return factNumber(transaction) }
        if key == .place { return factNumber(place) }
        return nil
    }
}

extension DeliveryWithdrawn where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .transaction { return factNumber(transaction) }
        if key == .reason { return factNumber(reason) }
        return nil
    }
}

extension DeliveryConsumed where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .product { return factNumber(product) }
        if key == .quantity { return quantity ?? 1 }
        return nil
    }
}

extension RestoreFailed where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .error { return factNumber(error.text) }
        if key == .code { return code }
        return nil
    }
}

extension RenewalPriceIncreased where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .original { return factNumber(original) }
        if key == .consent { return factNumber(consent) }
        return nil
    }
}

extension AccountLinked where S == Interned {
    func value(of key: Key) -> Int64? {
        if key == .original { return factNumber(original) }
        if key == .from { return factNumber(from) }
        return nil
    }
}
