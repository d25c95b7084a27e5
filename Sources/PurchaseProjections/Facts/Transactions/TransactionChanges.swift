import PurchaseEvents

// How events change the facts about a transaction.
extension TransactionFacts {
    /// The rare facts for writing; allocated on the first write.
    var rare: RareFacts {
        get { rareList.first ?? RareFacts() }
        _modify {
            if rareList.isEmpty { rareList = [RareFacts()] }
            yield &rareList[0]
        }
    }

    @inline(__always)
    func version(of field: StatedField) -> VersionID {
        let place = versions.place(of: field)
        if place == .elsewhere { return rareList[0].version(of: field) }
        return versions.version(at: place)
    }

    /// Whether a statement wins the field by the greatest version; if so, the field takes its
    /// version.
    @inline(__always)
    mutating func adopts(
        _ field: StatedField, _ statement: VersionID, _ all: inout Versions
    ) -> Bool {
        let old = version(of: field)
        guard all.wins(statement, over: old) else { return false }
        setVersion(statement, field, over: old, &all)
        return true
    }

    /// Whether a statement wins the field by the least version; if so, the field takes its version.
    ///
    /// Test statements count only if there is none from production.
    @inline(__always)
    mutating func adoptsEarliest(
        _ field: StatedField, _ statement: VersionID, _ all: inout Versions
    ) -> Bool {
        let old = version(of: field)
        guard all.isFirst(statement, before: old) else { return false }
        setVersion(statement, field, over: old, &all)
        return true
    }

    /// Sets a field's version and updates reference counts.
    @inline(__always)
    mutating func setVersion(
        _ statement: VersionID, _ field: StatedField, over old: VersionID, _ all: inout Versions
    ) {
        all.retain(statement)
        all.release(old)
        if !versions.note(statement, of: field) { rare.note(statement, of: field) }
    }
}

// Assigning stated fields; `nil` changes nothing.
extension TransactionFacts {
    mutating func assign(
        original: TransactionHandle?, _ version: VersionID, _ all: inout Versions
    ) {
        if let original, adopts(.original, version, &all) { storedOriginal = original }
    }

    mutating func assign(expiresAt: Timestamp?, _ version: VersionID, _ all: inout Versions) {
        if let expiresAt, adopts(.expiresAt, version, &all) { storedExpiresAt = expiresAt }
    }

    mutating func assign(quantity: Int64?, _ version: VersionID, _ all: inout Versions) {
        guard let quantity, adopts(.quantity, version, &all) else { return }
        shortQuantity = UInt8(exactly: quantity) ?? .max
        if shortQuantity == .max { rare.quantity = quantity }
    }

    mutating func assign(ownership: Ownership?, _ version: VersionID, _ all: inout Versions) {
        guard let ownership, adopts(.ownership, version, &all) else { return }
        set(.isFamilyShared, ownership == .familyShared)
        if ownership == .assigned || !rareList.isEmpty { rare.isAssigned = ownership == .assigned }
    }

    mutating func assign(_ terms: BillingTerms, _ version: VersionID, _ all: inout Versions) {
        guard !terms.isEmpty else { return }
        if rare.terms.isEmpty { rare.terms = [TermRegisters()] }
        rare.terms[0].assign(terms, version, &all)
    }

    mutating func assign(isUpgraded: Bool?, _ version: VersionID, _ all: inout Versions) {
        if let isUpgraded, adopts(.upgraded, version, &all) { set(.isUpgraded, isUpgraded) }
    }

    @inline(__always)
    mutating func assign(
        price thousandths: Int64?, _ newCurrency: Currency?, _ version: VersionID,
        _ all: inout Versions
    ) {
        guard let thousandths, adopts(.price, version, &all) else { return }
        shortPrice = UInt32(exactly: thousandths) ?? .max
        if shortPrice == .max { rare.thousandths = thousandths }
        currency = newCurrency?.rawValue ?? 0
    }

    @inline(__always)
    mutating func assignEarliest(
        account: AccountHandle?, _ version: VersionID, _ all: inout Versions
    ) {
        if let account, adoptsEarliest(.account, version, &all) { storedAccount = account }
    }

    mutating func assign(
        refundKind kind: Refund.Kind?, percent: Int64?, _ version: VersionID, _ all: inout Versions
    ) {
        if let kind, adopts(.refundKind, version, &all) { rare.refundKind = kind }
        if let percent, adopts(.refundPercent, version, &all) { rare.refundPercent = percent }
    }

    /// Assigns a refund state, and records the lines at which refunds came into force.
    mutating func assign(
        refund state: RefundState, _ version: VersionID, _ all: inout Versions, _ line: LineNumber
    ) {
        let (wasRefunded, dateBefore) = (refund != nil, cancelledAt)
        if case .taken(let date) = state {
            rare.firstCancelledAt = min(rare.firstCancelledAt ?? date, date)
        }
        guard adopts(.refund, version, &all) else { return }
        rare.refund = state
        if refund != nil, !wasRefunded { rare.refundedLine = line }
        noteCancellation(after: dateBefore, line)
    }

    private mutating func noteCancellation(after dateBefore: Timestamp?, _ line: LineNumber) {
        guard cancelledAt != dateBefore else { return }
        if let dateBefore {
            let past = PastCancellation(
                line: rare.cancelledLine, until: line, cancelledAt: dateBefore)
            rare.pastCancellations.append(past)
        }
        rare.cancelledLine = line
    }

    /// Records that a statement in an environment attests the transaction.
    ///
    /// The first production statement erases test statements (G9.3), so that only production
    /// statements count, in whatever order they arrived. An account named by a test statement stays
    /// until production names one.
    @inline(__always)
    mutating func note(_ environment: Environment, _ all: inout Versions, _ line: LineNumber) {
        if environment == .production, !isStatedInProduction, !versions.isEmpty {
            eraseTestStatements(&all, line)
        }
        flags.insert(Flags(environment))
    }

    private mutating func eraseTestStatements(_ all: inout Versions, _ line: LineNumber) {
        let dateBefore = cancelledAt
        for field in StatedField.allCases where field != .account && versions.has(field) {
            let statedVersion = version(of: field)
            guard all.isTest(statedVersion) else { continue }
            all.release(statedVersion)
            versions.forget(field)
            if field == .upgraded { set(.isUpgraded, false) }
            if field == .refundKind { rare.refundKind = nil }
        }
        if !rareList.isEmpty {
            rare.firstCancelledAt = nil
            if !rareList[0].terms.isEmpty { rare.terms[0].eraseTests(&all) }
        }
        noteCancellation(after: dateBefore, line)
    }

    /// When the statement that set the refund state was made.
    func refundStatedAt(_ all: Versions) -> Timestamp? {
        versions.has(.refund) ? all.time(of: version(of: .refund)) : nil
    }

    /// When the reversal in force was stated, also of a refund that no line states.
    func reversedAt(_ all: Versions) -> Timestamp? {
        guard versions.has(.refund), !rareList.isEmpty, case .reversed = rareList[0].refund
        else { return nil }
        return refundStatedAt(all)
    }

    /// The earliest cancellation date of all that were stated, also after their reversal.
    var firstCancelledAt: Timestamp? { rareList.isEmpty ? nil : rareList[0].firstCancelledAt }

    /// The account in the earliest statement, for the transaction's line.
    ///
    /// Restoring a purchase doesn't make an account its owner (G8.6).
    var ownerRegister: Register<AccountHandle> {
        isOnlyRestored ? cancellationRegister : Register(account, version(of: .account))
    }

    private var cancellationRegister: Register<AccountHandle> {
        rareList.isEmpty
            ? Register()
            : Register(rareList[0].cancellationAccount, rareList[0].cancellationAccountVersion)
    }

    mutating func assignEarliest(
        cancellationAccount account: AccountHandle, _ version: VersionID, _ all: inout Versions
    ) {
        assignEarliest(account: account, version, &all)
        var named = cancellationRegister
        named.assignEarliest(account, version, &all)
        rare.cancellationAccount = named.value
        rare.cancellationAccountVersion = named.version
    }

    /// The group in the latest statement that names one, for the transaction's line.
    var groupRegister: Register<GroupHandle> { Register(group, version(of: .group)) }

    private mutating func set(_ flag: Flags, _ isSet: Bool) {
        if isSet { flags.insert(flag) } else { flags.remove(flag) }
    }
}

// Recording the events of the transaction by line.
extension TransactionFacts {
    mutating func state(_ type: EventType, at instant: Timestamp, _ line: LineNumber) {
        earliestAt = min(earliestAt, instant)
        if type == .queuePurchased {
            if purchasedLine == 0 {
                purchasedLine = line
            } else {
                rare.latestPurchasedLine = line
                rare.presentations &+= 1
            }
        } else if type == .queueRestored {
            if restoredLine == 0 { rare.restoredLine = line }
            rare.latestRestoredLine = line
            rare.presentations &+= 1
        } else if type == .receiptListed {
            if listedLine == 0 { rare.listedLine = line }
        } else if renewalLine == 0 {
            renewalLine = line
        }
    }

    mutating func finish(_ line: LineNumber) {
        if finishedLine == 0 {
            finishedLine = line
        } else {
            rare.previousFinishedLine = latestFinishedLine
            rare.latestFinishedLine = line
        }
    }

    /// Records an answer of the server; an attempt without an answer says nothing.
    mutating func validate(_ outcome: ValidationOutcome, _ line: LineNumber) {
        if outcome == .unreachable, validLine != 0 || validation == .invalid { return }
        if outcome == .invalid, validation != .invalid { rare.invalidLine = line }
        rare.validation = outcome
        rare.validatedLine = line
        if outcome == .valid { rare.validLine = line }
    }

    mutating func persist(inReceipt: Bool, _ line: LineNumber) {
        if !inReceipt, flags.contains(.isPersistedInReceipt) {
            rare.persistedInReceiptLine = persistedLine
        }
        set(.isPersistedInReceipt, inReceipt)
        persistedLine = line
    }

    mutating func deliver(_ delivered: DeliveryDelivered<Interned>, _ line: LineNumber) {
        let before = deliveredQuantity
        if before != deliveredBefore { rare.deliveredBefore = before }
        addDelivered(delivered.quantity)
        if deliveredLine != 0 {
            rare.firstDeliveredLine = firstDeliveredLine
            rare.previousDeliveredLine = deliveredLine
        }
        deliveredLine = line
        if let until = delivered.until {
            rare.until = until
            rare.latestUntil = max(until, rare.latestUntil ?? until)
        }
    }

    /// Counts a delivery; one without a quantity delivers the rest, at least one.
    private mutating func addDelivered(_ quantity: Int64?) {
        if flags.contains(.isRestDelivered) {
            rare.deliveredAfterRest.addSaturating(quantity ?? 1)
        } else if let quantity {
            rare.deliveredParts.addSaturating(quantity)
        } else {
            flags.insert(.isRestDelivered)
        }
    }

    /// Records a withdrawal of a quantity, or of all that is left, after which deliveries count
    /// from what is left.
    mutating func withdraw(_ quantity: Int64?, at instant: Timestamp, _ line: LineNumber) {
        let delivered = deliveredQuantity
        let withdrawn = min(quantity ?? delivered, delivered)
        rare.withdrawnQuantity = withdrawn
        rare.totalWithdrawn.addSaturating(withdrawn)
        rare.withdrawnLine = line
        rare.withdrawnAt = max(instant, rare.withdrawnAt ?? instant)
        rare.deliveredParts = delivered - withdrawn
        rare.deliveredAfterRest = 0
        flags.remove(.isRestDelivered)
    }
}
