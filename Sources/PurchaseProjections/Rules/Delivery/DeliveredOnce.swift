import PurchaseEvents

/// A fully delivered consumable is not delivered again (G3.2, I4).
///
/// A delivery of another kind that is repeated on the same device is only a note: the user already
/// has the product. Each device may deliver what it is told of for itself. A note, too, is the
/// delivery of an identifier that Xcode's test environment used for another purchase.
struct DeliveredOnce: CatalogueRule {
    static let level = Level.error
    static let statement =
        "Once the whole quantity of a consumable is delivered, it is not delivered again, on "
        + "whatever device; another kind that is delivered again on the same device is noted. A "
        + "withdrawal restarts the quantity. In the environment xcode, a delivery of an identifier "
        + "that was used again is a note."
    static let evidence = ["G3.2", "I4"]
    static let reads = EventTypes(.deliveryDelivered)

    /// The device of each transaction's first delivery, plus 1.
    private var first = DenseTable<UInt32>(0)
    /// The latest delivery on each device of a transaction that was delivered more than once.
    private var repeated = DeviceEntries<LineNumber>(0)

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&first).visit(&repeated) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard let transaction = event.transaction else { return }
        let here = deliver(
            transaction, event.device, line.number, after: facts[transaction].previousDeliveredLine)
        guard let kind = facts.kind(of: transaction) else { return }
        report.test()
        let latest = LatestDelivery.of(transaction, facts)
        var earlier = facts[transaction].previousDeliveredLine
        if kind != .consumable, event.device != nil {
            earlier = here
            guard earlier > facts[transaction].withdrawnLine else { return }
        }
        guard latest.isAgain else { return }
        let name = facts.name(transaction)
        if let reason = LatestDelivery.incompleteReason(transaction, facts) {
            return report.cannotTell("whether all of \(name) was delivered is unknown; \(reason)")
        }
        if let reason = facts.reuseMayBeMissing(of: transaction, event) {
            return report.cannotTell(reason)
        }
        let isConsumable = kind == .consumable
        report.find(
            event, on: line, facts,
            level: isConsumable ? facts.levelOfReuse(of: transaction) : .note,
            account: facts.account(event, transaction), key: facts.text(transaction),
            "\(name) was delivered again, \(latest.count) more: expected no more than the "
                + "\(latest.bought) bought, of which \(latest.before) had been delivered",
            notes: facts.stated(transaction)
                + Finding.note(earlier, "then the last of it was delivered"),
            hint: isConsumable
                ? "the account got more than it paid for: look at what delivers twice, such as "
                    + "two observers, or a request's result beside the queue"
                : "the account has it already, so nothing is lost: find out why it was given again")
    }

    /// Records a delivery after the transaction's delivery before; returns the line of the one
    /// before on the device, 0 if there is none. A line without a device is on every one.
    private mutating func deliver(
        _ transaction: TransactionHandle, _ device: DeviceHandle?, _ line: LineNumber,
        after before: LineNumber
    ) -> LineNumber {
        let (place, device) = (Facts.index(of: transaction), Facts.index(of: device))
        guard before != 0 else {
            first[place] = UInt32(truncatingIfNeeded: device + 1)
            return 0
        }
        let (key, anywhere) = (HandleKey(transaction), Facts.index(of: DeviceHandle?.none))
        if !repeated.contains(key), first[place] != 0 {
            repeated.replace(before, key, on: Int(first[place]) - 1)
        }
        let unnamed = repeated.value(key, on: anywhere) ?? 0
        return max(unnamed, repeated.replace(line, key, on: device) ?? 0)
    }
}
