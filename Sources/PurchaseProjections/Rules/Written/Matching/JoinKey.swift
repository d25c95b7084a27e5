import PurchaseEvents

/// The compiled keys after `of the same`: they map each event to a slot, a dense number shared by
/// events with equal keys.
///
/// The first key costs an array access, each further key a look-up of two numbers.
struct JoinKey: Sendable, Snapshotted {
    struct Slots: Sendable {
        /// The slot that stores the event; 0 if the event lacks a key.
        var own = 0
        /// The slots of the same purchase under another name: of its payment, or of the transaction
        /// that the payment bought; 0 if there is none.
        var other = 0, third = 0
    }

    private let keys: [Key]
    /// Whether the keys include the transaction, which also joins events that name only the
    /// payment.
    private let hasTransaction: Bool
    /// The number of each pair of a prefix and the next key's value: one map for each variant and
    /// each further key.
    private var pairs: [HandleMap<UInt32>]
    private var pairCount: UInt32 = 0

    mutating func visitFields(_ visitor: FieldVisitor) {
        for index in pairs.indices { visitor.visit(&pairs[index]) }
        visitor.visit(&pairCount)
    }

    init(_ keys: [Key]) {
        // The transaction comes first, because its slots have three variants.
        self.keys = keys.filter { $0 == .transaction } + keys.filter { $0 != .transaction }
        hasTransaction = keys.contains(.transaction)
        pairs = (0..<3 * max(0, keys.count - 1)).map { _ in HandleMap(0) }
    }

    /// The slots of an event; without keys, every event has slot 1.
    @inline(__always)
    mutating func slots(of event: LogEvent, _ facts: Facts) -> Slots {
        guard !keys.isEmpty else { return Slots(own: 1) }
        guard hasTransaction else {
            return Slots(own: slot(from: JoinKey.part(keys[0], event, facts), 0, event, facts))
        }
        let (transaction, payment) = JoinKey.entry(of: event, facts)
        let bought = slot(from: transaction.map { Int64($0.name.rawValue) }, 0, event, facts)
        let paid = slot(from: payment.map { Int64($0.name.rawValue) }, 1, event, facts)
        if event.transaction != nil { return Slots(own: bought, other: paid) }
        // A finish or removal that names a payment concerns the transaction that the payment
        // bought, or else the payment's failure; events that name the transaction are unrelated to
        // the failure.
        let failed = slot(from: payment.map { Int64($0.name.rawValue) }, 2, event, facts)
        if event.type == .queueFinished {
            return transaction == nil
                ? Slots(own: failed, other: paid) : Slots(own: bought, other: paid)
        }
        if event.type == .queueRemoved { return Slots(own: failed, other: paid, third: bought) }
        return Slots(own: paid, other: bought, third: failed)
    }

    @inline(__always)
    private static func entry(
        of event: LogEvent, _ facts: Facts
    ) -> (TransactionHandle?, PaymentHandle?) {
        let transaction = EventValues.transaction(event, facts)
        return (transaction, event.payment ?? transaction.flatMap { facts[$0].payment })
    }

    /// The slot that begins with a value of one variant: 0 for transactions, 1 for payments, 2 for
    /// failed payments.
    @inline(__always)
    private mutating func slot(
        from first: Int64?, _ variant: Int, _ event: LogEvent, _ facts: Facts
    ) -> Int {
        guard let first else { return 0 }
        guard keys.count > 1 else { return Int(first) * (hasTransaction ? 3 : 1) + variant + 1 }
        return pairedSlot(from: first, variant, event, facts)
    }

    private mutating func pairedSlot(
        from first: Int64, _ variant: Int, _ event: LogEvent, _ facts: Facts
    ) -> Int {
        var sum = UInt32(truncatingIfNeeded: first)
        for index in 1..<keys.count {
            guard let next = JoinKey.part(keys[index], event, facts) else { return 0 }
            let map = variant * (keys.count - 1) + index - 1
            let key = HandleKey(sum, UInt32(truncatingIfNeeded: next))
            if let known = pairs[map][key] {
                sum = known
            } else {
                pairCount &+= 1
                pairs[map][key] = pairCount
                sum = pairCount
            }
        }
        return Int(sum)
    }

    /// The value of a key; the unnamed device counts as a value.
    @inline(__always)
    static func part(_ key: Key, _ event: LogEvent, _ facts: Facts) -> Int64? {
        if key == .device { return Int64(Facts.index(of: event.device)) }
        return EventValues.value(key, event, facts)
    }
}
