import PurchaseEvents

/// The value of a key as a number.
///
/// The number is the handle of a name, a word's position in its list, an integer, a packed currency
/// code, a time in milliseconds, 0 or 1 for a flag, or the place of a text in its line.
extension Fact where S == Interned {
    /// The value of a key of the fact itself; `nil` if the fact lacks it.
    @inline(never)
    func value(of key: Key) -> Int64? {
        switch self {
        case .logOpened(let fact): fact.value(of: key)
        case .logNoted(let text): key == .text ? factNumber(text) : nil
        case .logRecovered(let fact): fact.value(of: key)
        case .appLaunched, .paymentRestricted, .paymentAllowed, .queueObserved, .queueUnobserved,
            .restoreCompleted:
            nil
        case .catalogRequested(let product), .catalogInvalid(let product),
            .deliveryUnlocked(let product), .restoreSelected(let product):
            key == .product ? factNumber(product) : nil
        case .catalogListed(let fact): fact.value(of: key)
        case .paymentRequested(let fact): fact.value(of: key)
        case .queuePurchasing(let payment), .queueDeferred(let payment):
            key == .payment ? factNumber(payment) : nil
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
        case .receiptRefreshed(let receipt): key == .receipt ? factNumber(receipt) : nil
        case .receiptListed(let fact): fact.value(of: key)
        case .receiptValidated(let fact): fact.value(of: key)
        case .restoreRequested(let requester): key == .by ? factNumber(requester) : nil
        case .restoreFailed(let fact): fact.value(of: key)
        case .renewalStarted(let fact): fact.value(of: key)
        case .renewalRenewed(let fact): fact.value(of: key)
        case .renewalFailed(let fact): fact.value(of: key)
        case .renewalGraceExpired(let original), .renewalTurnedOff(let original),
            .renewalTurnedOn(let original):
            key == .original ? factNumber(original) : nil
        case .renewalExpired(let fact): fact.value(of: key)
        case .renewalPlanChanged(let fact): fact.value(of: key)
        case .renewalPriceIncreased(let fact): fact.value(of: key)
        case .renewalExtended(let fact): fact.value(of: key)
        case .cancellationRefunded(let fact): fact.value(of: key)
        case .cancellationRevoked(let fact): fact.value(of: key)
        case .cancellationReversed(let transaction), .cancellationRequested(let transaction),
            .cancellationDeclined(let transaction):
            key == .transaction ? factNumber(transaction) : nil
        case .notificationReceived(let fact): fact.value(of: key)
        case .contentPublished(let fact): fact.value(of: key)
        case .contentOpened(let content): key == .content ? factNumber(content) : nil
        case .accountLinked(let fact): fact.value(of: key)
        }
    }
}

@inline(__always)
func factNumber<Role>(_ name: Identifier<Role, Interned>?) -> Int64? {
    name.map { Int64($0.name.rawValue) }
}

@inline(__always)
func factNumber(_ time: Timestamp?) -> Int64? { time?.milliseconds }

@inline(__always)
func factNumber(_ flag: Bool?) -> Int64? { flag.map { $0 ? 1 : 0 } }

@inline(__always)
func factNumber<Word: ClosedList>(_ word: Word?) -> Int64? {
    // A word is stored as its position in the list.
    word.map { Int64(Word.pack($0)) }
}

@inline(__always)
func factNumber(_ currency: Currency?) -> Int64? {
    currency.map { Int64(Currency.pack($0)) }
}

@inline(__always)
func factNumber(_ text: TextSpan?) -> Int64? {
    text.map { Int64($0.start) << 32 | Int64($0.count) }
}
