import PurchaseEvents

// How events change the facts about a transaction.
extension TransactionFacts {
    /// The uncommon facts for writing; allocated on the first write.
    var uncommon: UncommonFacts {
        get { others.first ?? UncommonFacts() }
        _modify {
            if others.isEmpty { others = [UncommonFacts()] }
            yield &others[0]
        }
    }

    /// The version of a stated field.
    @inline(__always)
    func version(of thing: StatedThing) -> VersionID {
        let place = versions.place(of: thing)
        if place == .elsewhere { return others[0].version(of: thing) }
        return versions.version(at: place)
    }

    /// Whether a statement wins the field by the greatest version; if so, the field takes its
    /// version.
    @inline(__always)
    mutating func takes(
        _ thing: StatedThing, _ statement: VersionID, _ all: inout Versions
    ) -> Bool {
        let old = version(of: thing)
        guard all.wins(statement, over: old) else { return false }
        put(statement, thing, over: old, &all)
        return true
    }

    /// Whether a statement wins the field by the least version; if so, the field takes its version.
    /// Test statements count only if there is none from production.
    @inline(__always)
    mutating func takesFirst(
        _ thing: StatedThing, _ statement: VersionID, _ all: inout Versions
    ) -> Bool {
        let old = version(of: thing)
        guard all.isFirst(statement, before: old) else { return false }
        put(statement, thing, over: old, &all)
        return true
    }

    /// Sets a field's version and updates reference counts.
    @inline(__always)
    mutating func put(
        _ statement: VersionID, _ thing: StatedThing, over old: VersionID, _ all: inout Versions
    ) {
        all.hold(statement)
        all.release(old)
        if !versions.note(statement, of: thing) { uncommon.note(statement, of: thing) }
    }
}

// Assigning stated fields; `nil` changes nothing.
extension TransactionFacts {
    mutating func say(
        original: TransactionID<Interned>?, _ version: VersionID, _ all: inout Versions
    ) {
        if let original, takes(.original, version, &all) { saidOriginal = original }
    }

    mutating func say(expiresAt: Timestamp?, _ version: VersionID, _ all: inout Versions) {
        if let expiresAt, takes(.expiresAt, version, &all) { saidExpiresAt = expiresAt }
    }

    mutating func say(quantity: Int64?, _ version: VersionID, _ all: inout Versions) {
        guard let quantity, takes(.quantity, version, &all) else { return }
        shortQuantity = UInt8(exactly: quantity) ?? .max
        if shortQuantity == .max { uncommon.quantity = quantity }
    }

    mutating func say(ownership: Ownership?, _ version: VersionID, _ all: inout Versions) {
        guard let ownership, takes(.ownership, version, &all) else { return }
        mark(.isFamilyShared, ownership == .familyShared)
    }

    mutating func say(isUpgraded: Bool?, _ version: VersionID, _ all: inout Versions) {
        if let isUpgraded, takes(.upgraded, version, &all) { mark(.isUpgraded, isUpgraded) }
    }

    @inline(__always)
    mutating func say(
        price thousandths: Int64?, _ newCurrency: Currency?, _ version: VersionID,
        _ all: inout Versions
    ) {
        guard let thousandths, takes(.price, version, &all) else { return }
        shortPrice = UInt32(exactly: thousandths) ?? .max
        if shortPrice == .max { uncommon.thousandths = thousandths }
        currency = newCurrency?.rawValue ?? 0
    }

    @inline(__always)
    mutating func sayFirst(
        account: AccountID<Interned>?, _ version: VersionID, _ all: inout Versions
    ) {
        if let account, takesFirst(.account, version, &all) { saidAccount = account }
    }

    mutating func say(
        refundKind kind: Refund.Kind?, percent: Int64?, _ version: VersionID,
        _ all: inout Versions
    ) {
        if let kind, takes(.refundKind, version, &all) { uncommon.refundKind = kind }
        if let percent, takes(.refundPercent, version, &all) { uncommon.refundPercent = percent }
    }

    /// Assigns a refund state, and records the lines at which refunds came into force.
    mutating func say(
        refund state: RefundState, _ version: VersionID, _ all: inout Versions,
        _ line: LineNumber
    ) {
        let (wasRefunded, dateBefore) = (refund != nil, cancelledAt)
        guard takes(.refund, version, &all) else { return }
        uncommon.refund = state
        if refund != nil, !wasRefunded { uncommon.refundedLine = line }
        noteCancellation(after: dateBefore, line)
    }

    /// Records the line at which the cancellation date changed.
    private mutating func noteCancellation(after dateBefore: Timestamp?, _ line: LineNumber) {
        guard cancelledAt != dateBefore else { return }
        if let dateBefore {
            let past = PastCancellation(
                line: uncommon.cancelledLine, until: line, cancelledAt: dateBefore)
            uncommon.pastCancellations.append(past)
        }
        uncommon.cancelledLine = line
    }

    /// Records that a statement in an environment attests the transaction.
    ///
    /// The first production statement erases test statements (G9.3), so that only production
    /// statements count, in whatever order they arrived. An account named by a test statement stays
    /// until production names one.
    @inline(__always)
    mutating func note(
        _ environment: Environment, _ all: inout Versions, _ line: LineNumber
    ) {
        if environment == .production, !isStatedInProduction, !versions.isEmpty {
            forgetTests(&all, line)
        }
        marks.insert(Marks(environment))
    }

    private mutating func forgetTests(_ all: inout Versions, _ line: LineNumber) {
        let dateBefore = cancelledAt
        for thing in StatedThing.allCases where thing != .account && versions.has(thing) {
            let said = version(of: thing)
            guard all.isOfTests(said) else { continue }
            all.release(said)
            versions.forget(thing)
            if thing == .upgraded { mark(.isUpgraded, false) }
            if thing == .refundKind { uncommon.refundKind = nil }
        }
        noteCancellation(after: dateBefore, line)
    }

    /// When the statement that set the refund state was made.
    func refundSaidAt(_ all: Versions) -> Timestamp? {
        versions.has(.refund) ? all.time(of: version(of: .refund)) : nil
    }

    /// The account in the earliest statement, for the transaction's line.
    @inline(__always)
    var accountRegister: Register<AccountID<Interned>> {
        Register(account, version(of: .account))
    }

    private mutating func mark(_ mark: Marks, _ isSet: Bool) {
        if isSet { marks.insert(mark) } else { marks.remove(mark) }
    }
}

// What happened to the transaction, by line.
extension TransactionFacts {
    /// Records the line of a statement by its event type.
    mutating func state(_ type: EventType, at instant: Timestamp, _ line: LineNumber) {
        earliestAt = min(earliestAt, instant)
        if type == .queuePurchased {
            if purchasedLine == 0 {
                purchasedLine = line
            } else {
                uncommon.purchasedAgainLine = line
                uncommon.presentations &+= 1
            }
        } else if type == .queueRestored {
            if restoredLine == 0 { uncommon.restoredLine = line }
            uncommon.restoredAgainLine = line
            uncommon.presentations &+= 1
        } else if type == .receiptListed {
            if listedLine == 0 { uncommon.listedLine = line }
        } else if renewalLine == 0 {
            renewalLine = line
        }
    }

    mutating func finish(_ line: LineNumber) {
        if finishedLine == 0 {
            finishedLine = line
        } else {
            uncommon.finishedEarlierLine = finishedAgainLine
            uncommon.finishedAgainLine = line
        }
    }

    mutating func validate(_ outcome: ValidationOutcome, _ line: LineNumber) {
        uncommon.validation = outcome
        uncommon.validatedLine = line
        if outcome == .valid { uncommon.validLine = line }
    }

    mutating func persist(inReceipt: Bool, _ line: LineNumber) {
        if !inReceipt, marks.contains(.isPersistedInReceipt) {
            uncommon.persistedInReceiptLine = persistedLine
        }
        mark(.isPersistedInReceipt, inReceipt)
        persistedLine = line
    }

    /// Records a delivery.
    mutating func deliver(_ delivered: DeliveryDelivered<Interned>, _ line: LineNumber) {
        let before = deliveredQuantity
        if before != deliveredBefore { uncommon.deliveredBefore = before }
        addDelivered(delivered.quantity)
        let inAll = deliveredInAll.addingSaturating(deliveredQuantity - before)
        shortDeliveredInAll = UInt8(exactly: inAll) ?? .max
        if shortDeliveredInAll == .max { uncommon.deliveredInAll = inAll }
        if deliveredLine != 0 {
            uncommon.firstDeliveredLine = firstDeliveredLine
            uncommon.deliveredEarlierLine = deliveredLine
        }
        deliveredLine = line
        if let until = delivered.until { uncommon.until = until }
    }

    /// Counts a delivery; one without a quantity delivers the rest, at least one.
    private mutating func addDelivered(_ quantity: Int64?) {
        if marks.contains(.isRestDelivered) {
            uncommon.deliveredBeyond.addSaturating(quantity ?? 1)
        } else if let quantity {
            uncommon.deliveredParts.addSaturating(quantity)
        } else {
            marks.insert(.isRestDelivered)
        }
    }

    /// Records a withdrawal, after which deliveries count from zero.
    mutating func withdraw(_ line: LineNumber) {
        uncommon.withdrawnQuantity = deliveredQuantity
        uncommon.withdrawnLine = line
        uncommon.deliveredParts = 0
        uncommon.deliveredBeyond = 0
        marks.remove(.isRestDelivered)
    }
}
