import PurchaseEvents

/// A fully delivered consumable is not delivered again (G3.2, I4).
///
/// A delivery of another kind that is repeated on the same device is only a note: the user already
/// has the product. Each device may deliver what it is told of for itself.
struct DeliveredOnce: CatalogueRule {
    static let level = Level.error
    static let statement =
        "Once the whole quantity of a consumable is delivered, it is not delivered again, on "
        + "whatever device; another kind that is delivered again on the same device is noted. A "
        + "withdrawal restarts the quantity."
    static let evidence = ["G3.2", "I4"]
    static let reads = EventTypes(.deliveryDelivered)

    /// The latest delivery of each transaction on each device.
    private var delivered = DeviceEntries<LineNumber>(0)

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&delivered)
    }

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard let transaction = event.transaction else { return }
        let here = deliver(transaction, event.device, line.number)
        guard let kind = facts.kind(of: transaction) else { return }
        report.test()
        let portion = Portion.of(transaction, facts)
        var earlier = facts[transaction].previousDeliveredLine
        if kind != .consumable, event.device != nil {
            earlier = here
            guard earlier > facts[transaction].withdrawnLine else { return }
        }
        guard portion.isAgain else { return }
        let name = DeliveryPhrases.name(transaction, facts)
        if let reason = Portion.incompleteReason(transaction, facts) {
            return report.cannotTell("whether all of \(name) was delivered is unknown; \(reason)")
        }
        let isConsumable = kind == .consumable
        report.find(
            event, on: line, facts, level: isConsumable ? nil : .note,
            account: DeliveryPhrases.account(event, transaction, facts),
            key: facts.text(transaction),
            "\(name) was delivered again, \(portion.count) more: expected no more than the "
                + "\(portion.bought) bought, of which \(portion.before) had been delivered",
            notes: DeliveryPhrases.stated(transaction, facts)
                + DeliveryPhrases.note(earlier, "then the last of it was delivered"),
            hint: isConsumable
                ? "the account got more than it paid for: look at what delivers twice, such as "
                    + "two observers, or a request's result beside the queue"
                : "the account has it already, so nothing is lost: find out why it was given again")
    }

    /// Records a delivery; returns the line of the one before on the device, 0 if there is none. A
    /// line without a device is on every one.
    private mutating func deliver(
        _ transaction: TransactionID<Interned>, _ device: DeviceID<Interned>?, _ line: LineNumber
    ) -> LineNumber {
        let (key, anywhere) = (HandleKey(transaction), DeviceID<Interned>?.none)
        let unnamed = delivered.value(key, on: Facts.index(of: anywhere)) ?? 0
        return max(unnamed, delivered.replace(line, key, on: Facts.index(of: device)) ?? 0)
    }
}
