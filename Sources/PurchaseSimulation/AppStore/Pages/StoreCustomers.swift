import PurchaseEvents

/// A customer of the app in one environment: the transactions, in the order of their purchase.
struct StoreCustomer: Sendable {
    /// The first original transaction, which names the customer's pages.
    let original: String
    let environment: Environment
    /// The identifiers of the transactions and of the lines.
    var transactions: [String] = []
    var lines: [String] = []
}

extension StoreHistory {
    /// The customers by their first purchase: who shares an account, or a line, is one customer.
    var customers: [StoreCustomer] {
        var customers: [StoreCustomer] = []
        var places: [String: Int] = [:]
        for id in order {
            guard let transaction = transactions[id] else { continue }
            let environment = transaction.environment
            let own = "\(environment.rawValue) line \(transaction.original)"
            let account = transaction.account.map { "\(environment.rawValue) account \($0)" }
            let place = places[own] ?? account.flatMap { places[$0] } ?? customers.count
            if place == customers.count {
                customers.append(
                    StoreCustomer(original: transaction.original, environment: environment))
            }
            places[own] = place
            if let account, places[account] == nil { places[account] = place }
            customers[place].transactions.append(id)
            if lines[transaction.original]?.original == transaction.original,
                !customers[place].lines.contains(transaction.original)
            {
                customers[place].lines.append(transaction.original)
            }
        }
        return customers
    }
}
