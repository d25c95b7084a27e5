import PurchaseEvents

/// A customer of the app in one environment.
struct StoreCustomer: Sendable {
    /// The first original transaction, which names the customer's pages.
    let original: String
    let environment: Environment
    /// The identifiers of the transactions, in the order in which the store came to know them, and
    /// of the subscriptions.
    var transactions: [String] = []
    var subscriptions: [String] = []
}

extension StoreHistory {
    /// The customers by their first purchase: who shares an account is one customer.
    var customers: [StoreCustomer] {
        // A subscription may name its account only later, and belongs to one customer all the same.
        var accounts: [String: String] = [:]
        for id in order {
            guard let transaction = transactions[id], let account = transaction.account else {
                continue
            }
            accounts[transaction.original] = accounts[transaction.original] ?? account
        }
        var customers: [StoreCustomer] = []
        var places: [String: Int] = [:]
        var seen: Set<String> = []
        for id in order {
            guard let transaction = transactions[id] else { continue }
            let original = transaction.original
            let name = accounts[original].map { "account \($0)" } ?? "line \(original)"
            let key = "\(transaction.environment.rawValue) \(name)"
            let place = places[key] ?? customers.count
            if place == customers.count {
                places[key] = place
                customers.append(
                    StoreCustomer(original: original, environment: transaction.environment))
            }
            customers[place].transactions.append(id)
            if subscriptions[original] != nil, seen.insert(original).inserted {
                customers[place].subscriptions.append(original)
            }
        }
        return customers
    }
}
