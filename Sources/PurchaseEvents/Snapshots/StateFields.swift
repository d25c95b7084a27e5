// The state of a ledger, field by field: names are fingerprints, so most values are their bytes.

extension PurchaseState where S.Name: BitwiseCopyable {
    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&transactions)
        visitor.visit(&payments)
        visitor.visitEntries(&subscriptions, empty: SubscriptionState()) { $0.visitFields(visitor) }
        visitor.visitEntries(&devices, empty: DeviceState()) { $0.visitFields(visitor) }
        visitor.visitEntries(&products, empty: ProductState()) { $0.visitFields(visitor) }
        visitor.visit(&contents)
        visitor.visit(&environment)
        visitor.visit(&compacted)
        visitor.visitEntries(&downloads, empty: [:]) { visitor.visit(&$0) }
        visitor.visit(&endedDownloads)
        visitor.visit(&openPurchases)
        visitor.visit(&untrusted)
    }
}

extension SubscriptionState where S.Name: BitwiseCopyable {
    fileprivate mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&transactions)
        visitor.visit(&isOfProduction)
        visitor.visit(&hasPeriods)
        inProduction.visitFields(visitor)
        inTests.visitFields(visitor)
    }
}

extension DeviceState where S.Name: BitwiseCopyable {
    fileprivate mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&launches)
        visitor.visit(&observer)
        visitor.visit(&isRestricted)
        visitor.visit(&isRestoring)
        visitor.visit(&restorer)
        visitor.visit(&selection)
        visitor.visit(&hasRestored)
    }
}

extension ProductState where S.Name: BitwiseCopyable {
    fileprivate mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&listedKind)
        visitor.visit(&listedGroup)
        visitor.visit(&statedKind)
        visitor.visit(&statedGroup)
        visitor.visit(&isHosted)
        visitor.visit(&transactions)
        visitor.visit(&balances)
    }
}
