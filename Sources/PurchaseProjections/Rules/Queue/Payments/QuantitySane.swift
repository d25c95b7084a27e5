import PurchaseEvents

/// The App Store sells 1 to 10 of a consumable at once, and 1 of a non-consumable (G3.1).
///
/// A wrong quantity is reported once for each payment and what it bought, at the first request, and
/// once for each other transaction, at its first statement or delivery. A subscription may have any
/// number of seats.
struct QuantitySane: CatalogueRule {
    static let level = Level.error
    static let statement =
        "A quantity is 1 to 10 for a consumable, and 1 for a non-consumable; a subscription may "
        + "have any number of seats."
    static let evidence = ["G3.1"]
    static let reads = EventTypes(
        .paymentRequested, .queuePurchased, .queueRestored, .receiptListed, .deliveryDelivered)

    private var payments: Set<PaymentHandle> = []
    private var transactions: Set<TransactionHandle> = []

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&payments).visit(&transactions)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .paymentRequested, case .paymentRequested(let payload) = event.fact {
            guard let quantity = payload.quantity, let kind = facts[payload.product].kind,
                judge(quantity, kind, &report), payments.insert(payload.payment).inserted
            else { return }
            find(
                event, on: line, facts, quantity, kind, payload.product,
                account: facts[payload.payment].account, key: facts.names.text(of: payload.payment),
                &report)
        } else if event.type == .queuePurchased, case .queuePurchased(let payload) = event.fact {
            state(payload.quantity, event, on: line, facts, &report)
        } else if event.type == .queueRestored, case .queueRestored(let payload) = event.fact {
            state(payload.quantity, event, on: line, facts, &report)
        } else if event.type == .receiptListed, case .receiptListed(let payload) = event.fact {
            state(payload.quantity, event, on: line, facts, &report)
        } else if case .deliveryDelivered(let payload) = event.fact,
            facts.kind(of: payload.transaction) != .consumable
        {
            // `delivered-quantity` checks deliveries of consumables.
            state(payload.quantity, event, on: line, facts, &report)
        }
    }

    /// Counts a test, and returns whether the quantity is wrong.
    private func judge(_ quantity: Int64, _ kind: ProductKind, _ report: inout Report) -> Bool {
        report.test()
        return !QuantitySane.allowed(of: kind).quantities.contains(quantity)
    }

    /// The quantities of a kind, and as text.
    private static func allowed(
        of kind: ProductKind
    ) -> (quantities: ClosedRange<Int64>, text: String) {
        switch kind {
        case .consumable: (1...10, "1 to 10")
        case .nonConsumable: (1...1, "1")
        case .autoRenewable, .nonRenewing: (1...(.max), "1 or more")
        }
    }

    private mutating func state(
        _ quantity: Int64?, _ event: LogEvent, on line: Line, _ facts: Facts,
        _ report: inout Report
    ) {
        guard let quantity, let transaction = event.transaction,
            let product = event.product ?? facts[transaction].product,
            let kind = facts.kind(of: transaction),
            judge(quantity, kind, &report), transactions.insert(transaction).inserted
        else { return }
        if let payment = event.payment ?? facts[transaction].payment, payments.contains(payment) {
            return
        }
        find(
            event, on: line, facts, quantity, kind, product,
            account: facts.owner(of: transaction), key: facts.text(transaction), &report)
    }

    private func find(
        _ event: LogEvent, on line: Line, _ facts: Facts, _ quantity: Int64,
        _ kind: ProductKind, _ product: ProductHandle, account: AccountHandle?,
        key: String, _ report: inout Report
    ) {
        let name = facts.names.text(of: product)
        report.find(
            event, on: line, facts, account: account, key: key,
            "\(event.type.wireName)\(facts.ownerSuffix(account)) states \(quantity) of \(name), a "
                + "product of kind \(kind.rawValue): expected "
                + QuantitySane.allowed(of: kind).text,
            notes: Finding.note(
                facts[product].listedLine, "let \(name) be listed as \(kind.rawValue)"),
            hint: "look at what the user was charged: what was paid beyond the expected quantity "
                + "may be owed back")
    }
}
