// The state of a ledger, field by field: names are fingerprints, so most values are their bytes.

extension PurchaseState where S.Name: BitwiseCopyable {
    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&transactions).visit(&payments)
        visitor.visitEntries(&subscriptions, empty: SubscriptionState()) { $0.visitFields(visitor) }
        visitor.visitEntries(&devices, empty: DeviceState()) { $0.visitFields(visitor) }
        visitor.visitEntries(&products, empty: ProductState()) { $0.visitFields(visitor) }
        visitor.visit(&contents).visit(&environment).visit(&compacted)
        visitor.visitEntries(&downloads, empty: [:]) { visitor.visit(&$0) }
        visitor.visit(&endedDownloads).visit(&openPurchases).visit(&untrusted)
    }
}

extension SubscriptionState where S.Name: BitwiseCopyable {
    fileprivate mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&transactions).visit(&isOfProduction).visit(&hasPeriods)
        inProduction.visitFields(visitor)
        inTests.visitFields(visitor)
    }
}

extension DeviceState where S.Name: BitwiseCopyable {
    fileprivate mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&launches).visit(&observer).visit(&isRestricted).visit(&isRestoring)
        visitor.visit(&restorer).visit(&selection).visit(&hasRestored)
    }
}

extension ProductState where S.Name: BitwiseCopyable {
    fileprivate mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&listedKind).visit(&listedGroup).visit(&statedKind).visit(&statedGroup)
        visitor.visit(&isHosted).visit(&transactions).visit(&balances)
    }
}
