/// A finished consumable in a third of the memory, without loss.
///
/// The purchase was presented, completely delivered, persisted and finished, its statements agree,
/// and nothing else has happened to it; any other transaction stays as it is. An event that names
/// the purchase expands it again.
struct CompactPurchase<S: Spelling>: Hashable, Sendable {
    fileprivate var product: ProductID<S>
    fileprivate var payment: PaymentID<S>?
    fileprivate var account: AccountID<S>?
    fileprivate var presentation: Presentation<S>?
    fileprivate var version: StatementVersion
    fileprivate var purchasedAt: Timestamp
    fileprivate var quantity: Int64?
    fileprivate var kind: ProductKind?
    fileprivate var environments: Environments
    fileprivate var validation: ValidationOutcome?
    fileprivate var isPersistedInReceipt: Bool

    /// Returns `nil` if the state contains more than this form can store.
    init?(_ known: TransactionState<S>) {
        guard known.phase == .finished, let product = known.product,
            let version = known.productStated.version, let purchasedAt = known.purchasedAt
        else { return nil }
        self.product = product
        self.version = version
        self.purchasedAt = purchasedAt
        payment = known.payment
        account = known.account
        presentation = known.presentation
        quantity = known.quantityStated.value
        kind = known.kindStated.value
        environments = known.environments
        validation = known.validation
        isPersistedInReceipt = known.isPersistedInReceipt
        guard TransactionState(self) == known else { return nil }
    }
}

extension TransactionState {
    init(_ compacted: CompactPurchase<S>) {
        let version = compacted.version
        phase = .finished
        productStated.set(compacted.product, version)
        quantityStated.set(compacted.quantity, version)
        purchasedAtStated.set(compacted.purchasedAt, version)
        kindStated.set(compacted.kind, version)
        accountStated.setEarliest(compacted.account, version)
        payment = compacted.payment
        presentation = compacted.presentation
        environments = compacted.environments
        validation = compacted.validation
        deliveredQuantity = compacted.quantity ?? 1
        isPaid = true
        opensPeriod = true
        isPersisted = true
        isPersistedInReceipt = compacted.isPersistedInReceipt
        isDelivered = true
        wasDelivered = true
    }
}

extension PurchaseState {
    mutating func compact(_ transaction: TransactionID<S>?, _ original: TransactionID<S>?) {
        for id in [transaction, original] {
            guard let id, let known = transactions[id], known.phase == .finished,
                kind(of: known) == .consumable, let purchase = CompactPurchase(known)
            else { continue }
            transactions[id] = nil
            compacted[id] = purchase
        }
    }

    mutating func expand(_ transaction: TransactionID<S>?, _ original: TransactionID<S>?) {
        guard !compacted.isEmpty else { return }
        for id in [transaction, original] {
            guard let id, let purchase = compacted.removeValue(forKey: id) else { continue }
            transactions[id] = TransactionState(purchase)
        }
    }

    mutating func expandAll(of product: ProductID<S>) {
        for (id, purchase) in compacted {
            let known = TransactionState(purchase)
            guard known.product == product else { continue }
            compacted[id] = nil
            transactions[id] = known
        }
    }
}

extension CompactPurchase: BitwiseCopyable where S.Name: BitwiseCopyable {}
