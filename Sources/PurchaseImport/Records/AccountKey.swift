import PurchaseEvents

/// The key of a signed record that becomes the account of its events.
public enum AccountKey: String, CaseIterable, Hashable, Sendable {
    /// `appAccountToken`, the app's own.
    case token
    /// `appTransactionId`, the App Store's key of a customer of the app.
    case customer
    /// `appAccountToken`, or `appTransactionId` if there is no token.
    case tokenOrCustomer = "token-or-customer"

    /// The account of a signed record.
    ///
    /// Counts a record that names only a customer, if nobody chose a key, and the customers whose
    /// records have a token at times. A record states the same in every import, so it doesn't take
    /// the token of another.
    static func account(of record: RecordReader, _ choice: AccountKey?) -> String? {
        let token = record.name("appAccountToken")?.lowercased()
        let customer = record.name("appTransactionId")
        switch choice {
        case .token: return token
        case .customer: return customer
        case .tokenOrCustomer:
            if let customer { record.remarks.note(customer, hasToken: token != nil) }
            return token ?? customer
        case nil:
            if token == nil, customer != nil { record.remarks.countUnnamedCustomer() }
            return token
        }
    }
}
