import PurchaseEvents

/// A payment object is charged as often as it was requested, no more (G3.2).
///
/// A payment object added twice is charged twice, and rightly so; a payment that was never
/// requested (a promoted purchase, a code) is nobody's second charge.
struct OneRequestOneCharge: Rule {
    static let id = "one-request-one-charge"
    static let level = Level.error
    static let statement =
        "A payment object that the log saw requested yields as many purchases as requests, no "
        + "more."
    static let evidence = ["G3.2", "I4"]
    static let reads = EventTypes(.paymentRequested, .queuePurchased)

    private struct Charges {
        var count: UInt32 = 0
        var latest = TransactionID<Interned>(Handle(rawValue: 0))
    }

    private var charges = DenseTable(Charges())

    init() {}

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if event.type == .paymentRequested, case .paymentRequested(let request) = event.fact {
            if facts[request.payment].requests == 1 { report.test() }
            return
        }
        guard event.type == .queuePurchased, case .queuePurchased(let purchased) = event.fact,
            let payment = purchased.payment,
            facts[purchased.transaction].purchasedLine == line.number
        else { return }
        let before = charges[payment.index]
        charges[payment.index].count &+= 1
        charges[payment.index].latest = purchased.transaction
        let requests = facts[payment].requests
        guard requests > 0, before.count >= requests else { return }
        if let missed = facts.mayHaveMissed {
            return report.cannotTell("whether a payment was requested once more: \(missed)")
        }
        let name = facts.names.text(of: payment)
        let other = facts.text(before.latest)
        report.find(
            event, on: line, facts, account: facts[payment].account,
            key: facts.text(purchased.transaction),
            "payment \(name) was purchased as transaction \(facts.text(purchased.transaction)), "
                + "purchase \(before.count + 1) of \(requests) requested: "
                + "expected no more purchases than requests",
            notes: [
                Finding.Note(
                    line: facts[payment].requestedAgainLine,
                    message: "let payment \(name) be requested, \(requests) in all"),
                Finding.Note(
                    line: facts[before.latest].purchasedLine,
                    message: "then it was purchased as transaction \(other)"),
            ],
            hint: "look at both transactions at the App Store: the user was charged once more "
                + "than the app asked for, and a refund may be due")
    }
}
