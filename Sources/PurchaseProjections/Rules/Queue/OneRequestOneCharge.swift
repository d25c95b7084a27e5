import PurchaseEvents

/// A payment object is charged as often as it was requested, no more (G3.2).
///
/// A payment object added twice is charged twice, and rightly so; a payment that was never
/// requested (a promoted purchase, a code) is nobody's second charge. What is charged is the
/// product and the quantity that the payment object asks for.
struct OneRequestOneCharge: Rule {
    static let id = "one-request-one-charge"
    static let level = Level.error
    static let statement =
        "A payment object that the log saw requested yields as many purchases as requests, no "
        + "more, and each of the product and the quantity that was requested."
    static let evidence = ["G3.2", "I4"]
    static let reads = EventTypes(.paymentRequested, .queuePurchased)

    private struct Charges {
        var count: UInt32 = 0
        var quantity: Int64 = 1
        var latest = TransactionID<Interned>(Handle(rawValue: 0))
    }

    private var charges = DenseTable(Charges())

    init() {}

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard let payment = event.payment else { return }
        guard let transaction = event.transaction else {
            if case .paymentRequested(let request) = event.fact {
                charges[payment.index].quantity = request.quantity ?? 1
            }
            if facts[payment].requests == 1 { report.test() }
            return
        }
        if case .queuePurchased(let purchased) = event.fact {
            compare(purchased, payment, event, on: line, facts, &report)
        }
        guard facts[transaction].purchasedLine == line.number else { return }
        let before = charges[payment.index]
        charges[payment.index].count &+= 1
        charges[payment.index].latest = transaction
        let requests = facts[payment].requests
        guard requests > 0, before.count >= requests else { return }
        if let missed = facts.mayHaveMissed {
            return report.cannotTell("whether a payment was requested once more: \(missed)")
        }
        let name = facts.names.text(of: payment)
        let other = facts.text(before.latest)
        report.find(
            event, on: line, facts, account: facts[payment].account,
            key: facts.text(transaction),
            "payment \(name) was purchased as transaction \(facts.text(transaction)), "
                + "purchase \(before.count + 1) of \(requests) requested: "
                + "expected no more purchases than requests",
            notes: [
                Finding.Note(
                    line: facts[payment].requestedAgainLine,
                    message: "let \(facts.words(payment)) be requested, \(requests) in all"),
                Finding.Note(
                    line: facts[before.latest].purchasedLine,
                    message: "then it was purchased as transaction \(other)"),
            ],
            hint: "look at both transactions at the App Store: the user was charged once more "
                + "than the app asked for, and a refund may be due")
    }

    /// Finds a charge for something else than what was requested.
    private func compare(
        _ purchased: QueuePurchased<Interned>, _ payment: PaymentID<Interned>,
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard facts[payment].requests > 0, let product = facts[payment].product else { return }
        let requested = charges[payment.index].quantity
        let quantity = purchased.quantity ?? requested
        guard product != purchased.product || quantity != requested else { return }
        if let missed = facts.mayHaveMissed {
            return report.cannotTell("whether a payment was requested once more: \(missed)")
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
                    line: facts[payment].requestedAgainLine,
                    message: "let \(facts.words(payment)) be requested, \(requested) of it")
            ],
            hint: "look at the transaction at the App Store: the user was charged for something "
                + "else than the app asked for, and a refund may be due")
    }
}
