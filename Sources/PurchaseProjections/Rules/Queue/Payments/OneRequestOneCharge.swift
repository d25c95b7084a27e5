import PurchaseEvents

/// A payment object is charged at most as often as it was requested (G3.2).
///
/// A payment object added twice is rightly charged twice. A payment that was never requested (a
/// promoted purchase, a code) is not a second charge. Each charge must match the product and
/// quantity of a request of its own; one that matches none uses none up.
struct OneRequestOneCharge: CatalogueRule {
    static let level = Level.error
    static let statement =
        "A payment object that the log saw requested yields as many purchases as requests, no "
        + "more, and each of the product and the quantity of a request of its own; without a "
        + "quantity it is 1."
    static let evidence = ["G3.2", "I4"]
    static let reads = EventTypes(.paymentRequested, .queuePurchased)

    /// The latest purchase of a payment, and the product of its first request.
    private struct Known: Sendable {
        @Packed var purchase: TransactionHandle?
        @Packed var product: ProductHandle?
    }

    /// A product and quantity of a payment that was requested several times.
    private struct Wanted: Hashable {
        var payment: PaymentHandle
        var product: ProductHandle
        var quantity: Int64
    }

    private var known = DenseTable(Known())
    /// The number of purchases besides the first of each payment.
    private var more = HandleMap<UInt32>(0)
    /// The quantity of the first request, if not 1.
    private var quantities = HandleMap<Int64>(1)
    /// The payments whose first purchase was not what their only request asked for.
    private var unmatched: Set<PaymentHandle> = []
    /// The open requests of payments with several.
    private var wanted: [Wanted: Int] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&known).visit(&more).visit(&quantities).visit(&unmatched).visit(&wanted)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard let payment = event.payment else { return }
        guard let transaction = event.transaction else {
            if facts[payment].requests == 1 { report.test() }
            if case .paymentRequested(let request) = event.fact { note(request, facts) }
            return
        }
        guard case .queuePurchased(let purchased) = event.fact,
            facts[transaction].purchasedLine == line.number
        else { return }
        // A purchase has one finding: one that nobody requested can't be of another product.
        if !charge(transaction, payment, event, on: line, facts, &report) {
            compare(purchased, payment, event, on: line, facts, &report)
        }
    }

    private mutating func note(_ request: PaymentRequested<Interned>, _ facts: Facts) {
        let (payment, quantity) = (request.payment, request.quantity ?? 1)
        guard let first = known[payment.index].product else {
            known[payment.index].product = request.product
            if quantity != 1 { quantities[HandleKey(.payment(payment))] = quantity }
            return
        }
        if facts[payment].requests == 2, !isFirstUsed(payment, facts) {
            let quantity = quantities[orEmpty: HandleKey(.payment(payment))]
            wanted[Wanted(payment: payment, product: first, quantity: quantity)] = 1
        }
        let new = Wanted(payment: payment, product: request.product, quantity: quantity)
        wanted[new, default: 0] += 1
    }

    /// Whether a purchase has used up the first request of a payment.
    private func isFirstUsed(_ payment: PaymentHandle, _ facts: Facts) -> Bool {
        guard let purchase = known[payment.index].purchase else { return false }
        return facts[purchase].purchasedLine > facts[payment].requestedLine
            && !unmatched.contains(payment)
    }

    /// Uses up an open request of a payment; returns whether there is one.
    private mutating func use(
        _ payment: PaymentHandle, _ product: ProductHandle, _ quantity: Int64, _ facts: Facts
    ) -> Bool {
        if facts[payment].requests == 1 {
            let isAsked =
                known[payment.index].product == product
                && quantities[orEmpty: HandleKey(.payment(payment))] == quantity
            if !isAsked { unmatched.insert(payment) }
            return isAsked
        }
        let key = Wanted(payment: payment, product: product, quantity: quantity)
        guard let open = wanted[key], open > 0 else { return false }
        wanted[key] = open - 1
        return true
    }

    /// Counts a new purchase of a payment; returns whether it is one more than requested.
    private mutating func charge(
        _ transaction: TransactionHandle, _ payment: PaymentHandle,
        _ event: LogEvent, on line: Line, _ facts: Facts, _ report: inout Report
    ) -> Bool {
        let before = known[payment.index].purchase
        known[payment.index].purchase = transaction
        guard let before else { return false }
        more[orEmpty: HandleKey(.payment(payment))] &+= 1
        let count = more[orEmpty: HandleKey(.payment(payment))]
        let requests = facts[payment].requests
        guard requests > 0, count >= requests else { return false }
        if let reason = facts.incompleteReason {
            report.cannotTell("whether a payment was requested once more: \(reason)")
            return true
        }
        let name = facts.names.text(of: payment)
        let other = facts.text(before)
        report.find(
            event, on: line, facts, account: facts[payment].account, key: facts.text(transaction),
            "payment \(name) was purchased as transaction \(facts.text(transaction)), "
                + "purchase \(count + 1) of \(requests) requested: "
                + "expected no more purchases than requests",
            notes: Finding.note(
                facts[payment].latestRequestedLine,
                "let \(facts.describe(payment)) be requested, \(requests) in all")
                + Finding.note(
                    facts[before].purchasedLine, "then it was purchased as transaction \(other)"),
            hint: "look at both transactions at the App Store: the user was charged once more "
                + "than the app asked for, and a refund may be due")
        return true
    }

    private mutating func compare(
        _ purchased: QueuePurchased<Interned>, _ payment: PaymentHandle,
        _ event: LogEvent, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let quantity = purchased.quantity ?? 1
        guard facts[payment].requests > 0, !use(payment, purchased.product, quantity, facts)
        else { return }
        if let reason = facts.incompleteReason {
            return report.cannotTell("whether a payment was requested once more: \(reason)")
        }
        let requested = quantities[orEmpty: HandleKey(.payment(payment))]
        let name = facts.names.text(of: payment)
        let transaction = facts.text(purchased.transaction)
        let isOne = facts[payment].requests == 1
        let expected =
            isOne
            ? "\(requested) of \(facts.describe(known[payment.index].product)), as requested"
            : "what one of its requests asks for and no other purchase answers"
        report.find(
            event, on: line, facts, account: facts[payment].account, key: transaction,
            "payment \(name) was purchased as transaction \(transaction), \(quantity) of "
                + "\(facts.names.text(of: purchased.product)): expected \(expected)",
            notes: Finding.note(
                facts[payment].latestRequestedLine,
                "let \(facts.describe(payment)) be requested, "
                    + (isOne ? "\(requested) of it" : "for the last time")),
            hint: "look at the transaction at the App Store: the user was charged for something "
                + "other than the app asked for, and a refund may be due")
    }
}
