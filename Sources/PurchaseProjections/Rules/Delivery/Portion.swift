import PurchaseEvents

/// The delivery read now, in its place among those of its transaction since it was last withdrawn.
struct Portion {
    /// How many were bought by what is known, how many had been delivered before, and after it.
    let bought: Int64, before: Int64, after: Int64

    /// The latest delivery of a transaction.
    // No initializer: one would take a copy of the facts.
    @inline(__always)
    static func of(_ transaction: TransactionID<Interned>, _ facts: Facts) -> Portion {
        Portion(
            bought: facts[transaction].quantity, before: facts[transaction].deliveredBefore,
            after: facts[transaction].deliveredQuantity)
    }

    /// How many this delivery gave.
    var count: Int64 { after - before }

    /// Whether everything had been delivered before.
    var isAgain: Bool { before >= bought }

    /// Whether it gave more than was left.
    var exceeds: Bool { !isAgain && after > bought }

    /// Why the log can't tell that too much was delivered: a withdrawal or a statement of the
    /// quantity that it may have missed.
    static func missed(_ transaction: TransactionID<Interned>, _ facts: Facts) -> String? {
        let known = facts[transaction]
        if known.statedQuantity == nil, let missed = facts.mayHaveMissed { return missed }
        return facts.mayHaveMissed(after: known.firstDeliveredLine)
    }
}
