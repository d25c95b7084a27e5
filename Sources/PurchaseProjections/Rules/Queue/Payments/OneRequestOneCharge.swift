import PurchaseEvents

/// A payment object is charged at most as often as it was requested (G3.2).
///
/// A payment object added twice is rightly charged twice. A payment that was never requested (a
/// promoted purchase, a code) is not a second charge. The charge must match the requested product
/// and quantity.
struct OneRequestOneCharge: CatalogueRule {
    static let id = "one-request-one-charge"
    static let level = Level.error
    static let statement =
        "A payment object that the log saw requested yields as many purchases as requests, no "
        + "more, and each of the product and the quantity that was requested."
    static let evidence = ["G3.2", "I4"]
    static let reads = EventTypes(.paymentRequested, .queuePurchased)

    /// The latest purchase of each payment, and the number of earlier purchases if any.
    private var latest = DenseTable(Packed<TransactionID<Interned>>())
    private var earlier = HandleMap<UInt32>(0)
    /// The quantity of the latest request, if not 1.
    private var quantities = HandleMap<Int64>(1)

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard let payment = event.payment else { return }
        guard let transaction = event.transaction else {
            if case .paymentRequested(let request) = event.fact {
                let quantity = request.quantity ?? 1
                quantities[HandleKey(.payment(payment))] = quantity == 1 ? nil : quantity
            }
            if facts[payment].requests == 1 { report.test() }
            return
        }
        // A purchase has one finding: one that nobody requested can't be of another product.
        if charge(transaction, payment, event, on: line, facts, &report) { return }
        if case .queuePurchased(let purchased) = event.fact {
            compare(purchased, payment, event, on: line, facts, &report)
        }
    }

    /// Counts a new purchase of a payment; returns whether it is one more than requested.
    private mutating func charge(
        _ transaction: TransactionID<Interned>, _ payment: PaymentID<Interned>,
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) -> Bool {
        guard facts[transaction].purchasedLine == line.number else { return false }
        let before = latest[payment.index].wrappedValue
        latest[payment.index].wrappedValue = transaction
        guard let before else { return false }
        earlier[orEmpty: HandleKey(.payment(payment))] &+= 1
        let count = earlier[orEmpty: HandleKey(.payment(payment))]
        let requests = facts[payment].requests
        guard requests > 0, count >= requests else { return false }
        if let reason = facts.incompleteReason {
            report.cannotTell("whether a payment was requested once more: \(reason)")
            return true
        }
        let name = facts.names.text(of: payment)
        let other = facts.text(before)
        report.find(
            event, on: line, facts, account: facts[payment].account,
            key: facts.text(transaction),
            "payment \(name) was purchased as transaction \(facts.text(transaction)), "
                + "purchase \(count + 1) of \(requests) requested: "
                + "expected no more purchases than requests",
            notes: [
                Finding.Note(
                    line: facts[payment].latestRequestedLine,
                    message: "let \(facts.describe(payment)) be requested, \(requests) in all"),
                Finding.Note(
                    line: facts[before].purchasedLine,
                    message: "then it was purchased as transaction \(other)"),
            ],
            hint: "look at both transactions at the App Store: the user was charged once more "
                + "than the app asked for, and a refund may be due")
        return true
    }

    /// Reports a charge for another product or quantity than requested.
    private func compare(
        _ purchased: QueuePurchased<Interned>, _ payment: PaymentID<Interned>,
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard facts[payment].requests > 0, let product = facts[payment].product else { return }
        let requested = quantities[orEmpty: HandleKey(.payment(payment))]
        let quantity = purchased.quantity ?? requested
        guard product != purchased.product || quantity != requested else { return }
        if let reason = facts.incompleteReason {
            return report.cannotTell("whether a payment was requested once more: \(reason)")
        }
        let name = facts.names.text(of: payment)
        let transaction = facts.text(purchased.transaction)
        let expected = "\(requested) of \(facts.names.text(of: product))"
        report.find(
            event, on: line, facts, account: facts[payment].account, key: transaction,
            "payment \(name) was purchased as transaction \(transaction), \(quantity) of "
                + "\(facts.names.text(of: purchased.product)): expected \(expected), as requested",
            notes: [
                Finding.Note(
                    line: facts[payment].latestRequestedLine,
                    message: "let \(facts.describe(payment)) be requested, \(requested) of it")
            ],
            hint: "look at the transaction at the App Store: the user was charged for something "
                + "other than the app asked for, and a refund may be due")
    }
}
