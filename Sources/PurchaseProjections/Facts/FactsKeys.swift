import PurchaseEvents

extension Facts {
    /// The transaction that a finding's key names: the transaction itself, or the latest one that
    /// the payment bought; `nil` for any other key.
    package func transaction(named key: String) -> TransactionHandle? {
        if let transaction = names.find(TransactionID<Written>(key)) { return transaction }
        return names.find(PaymentID<Written>(key)).flatMap { self[$0].purchase }
    }
}
