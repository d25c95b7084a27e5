import PurchaseEvents

/// The App Store sells 1 to 10 of a consumable at once, and 1 of any other product (G3.1).
///
/// A wrong quantity is reported once: at the request, or at the first statement or delivery.
struct QuantitySane: CatalogueRule {
    static let id = "quantity-sane"
    static let level = Level.error
    static let statement = "A quantity is 1 to 10 for a consumable, and 1 for every other kind."
    static let evidence = ["G3.1"]
    static let reads = EventTypes(
        .paymentRequested, .queuePurchased, .queueRestored, .receiptListed, .deliveryDelivered)

    /// Payments and transactions already reported.
    private var payments: Set<PaymentID<Interned>> = []
    private var transactions: Set<TransactionID<Interned>> = []

    init() {}

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if event.type == .paymentRequested, case .paymentRequested(let said) = event.fact {
            guard let quantity = said.quantity, let kind = facts[said.product].kind,
                judge(quantity, kind, &report), payments.insert(said.payment).inserted
            else { return }
            find(
                event, on: line, facts, quantity, kind, said.product,
                account: facts[said.payment].account, key: facts.names.text(of: said.payment),
                &report)
        } else if event.type == .queuePurchased, case .queuePurchased(let said) = event.fact {
            state(
                event, on: line, facts, said.quantity, said.product, said.transaction,
                said.payment, &report)
        } else if event.type == .queueRestored, case .queueRestored(let said) = event.fact {
            state(
                event, on: line, facts, said.quantity, said.product, said.transaction, nil,
                &report)
        } else if event.type == .receiptListed, case .receiptListed(let said) = event.fact {
            state(
                event, on: line, facts, said.quantity, said.product, said.transaction, nil,
                &report)
        } else if case .deliveryDelivered(let said) = event.fact,
            let product = facts[said.transaction].product,
            let kind = facts.kind(of: said.transaction), kind != .consumable
        {
            // `delivered-quantity` checks deliveries of consumables.
            state(
                event, on: line, facts, said.quantity, product, said.transaction, nil, &report)
        }
    }

    /// Counts a test, and returns whether the quantity is wrong.
    private func judge(
        _ quantity: Int64, _ kind: ProductKind, _ report: inout Report
    ) -> Bool {
        report.test()
        return quantity < 1 || quantity > (kind == .consumable ? 10 : 1)
    }

    private mutating func state(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ quantity: Int64?,
        _ product: ProductID<Interned>, _ transaction: TransactionID<Interned>,
        _ payment: PaymentID<Interned>?, _ report: inout Report
    ) {
        guard let quantity, let kind = facts.kind(of: transaction),
            judge(quantity, kind, &report), transactions.insert(transaction).inserted
        else { return }
        if let payment = payment ?? facts[transaction].payment, payments.contains(payment) {
            return
        }
        find(
            event, on: line, facts, quantity, kind, product,
            account: facts.owner(of: transaction), key: facts.text(transaction), &report)
    }

    private func find(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ quantity: Int64,
        _ kind: ProductKind, _ product: ProductID<Interned>, account: AccountID<Interned>?,
        key: String, _ report: inout Report
    ) {
        let listed = facts[product].listedLine
        let name = facts.names.text(of: product)
        let notes =
            listed == 0
            ? []
            : [Finding.Note(line: listed, message: "let \(name) be listed as \(kind.rawValue)")]
        report.find(
            event, on: line, facts, account: account, key: key,
            "\(event.type.wireName)\(facts.ownerSuffix(account)) states \(quantity) of \(name), a "
                + "product of kind \(kind.rawValue): expected "
                + (kind == .consumable ? "1 to 10" : "1"),
            notes: notes,
            hint: "look at what the user was charged: what was paid beyond the expected quantity "
                + "may be owed back")
    }
}
