import PurchaseEvents

/// Subscription lines and their periods (event-log.md, 4).
extension Facts {
    /// The index of an original's line; creates the line if needed.
    mutating func lineIndex(of original: TransactionID<Interned>, _ line: LineNumber) -> Int {
        let index = touch(original)
        if transactions[index].lineIndex == 0 {
            var facts = LineFacts(original: original, firstLine: line)
            facts.isOfProduction = isOfProduction(original)
            lines.append(facts)
            transactions[index].lineIndex = UInt32(lines.count)
            // Purchases without an end, as StoreKit 1 tells them, name the line's account too.
            nameOwner(by: original)
            for value in transactionsByOriginal.values(under: UInt32(index)) {
                nameOwner(by: TransactionID(index: Int(value)))
            }
        }
        return Int(transactions[index].lineIndex) - 1
    }

    /// Adds a transaction to its original's line if statements attest a period for it.
    ///
    /// A transaction belongs to one line: it moves if a statement names a different original.
    mutating func joinLine(_ transaction: TransactionID<Interned>, _ line: LineNumber) {
        let index = transaction.index
        guard transactions[index].attestsPeriod, transactions[index].expiresAt != nil else {
            return
        }
        let lineIndex = lineIndex(of: original(of: transaction), line)
        let member = UInt32(lineIndex + 1)
        if let start = transactions[index].purchasedAt, start > lines[lineIndex].latestStart {
            lines[lineIndex].latestStart = start
        }
        guard transactions[index].periodOfLine != member else { return }
        leaveLine(transaction)
        transactions[index].periodOfLine = member
        let last = lines[lineIndex].lastTransaction
        transactions[index].previousInLine = last
        if let last, lines[lineIndex].losesTransactions {
            record.pointee.nextInLine[HandleKey(last)] = transaction
        }
        if last == nil { lines[lineIndex].firstTransaction = transaction }
        lines[lineIndex].lastTransaction = transaction
        lines[lineIndex].transactionCount += 1
        if transactions[index].isStatedInProduction {
            lines[lineIndex].isOfProduction = true
            lines[lineIndex].productionCount += 1
        }
        nameOwner(by: transaction)
        nameGroup(by: transaction)
    }

    /// Passes the group that a transaction's statements name to its line, whatever its product.
    mutating func nameGroup(by transaction: TransactionID<Interned>) {
        let member = Int(transactions[transaction.index].periodOfLine) - 1
        guard member >= 0 else { return }
        let isTest = !isAttested(transaction, in: .production)
        lines[member][isTest ? .sandbox : .production].group.assign(
            transactions[transaction.index].groupRegister, &versions)
    }

    /// Records that production now attests a transaction, and so the lines that it keys or belongs
    /// to.
    ///
    /// Returns whether the transaction left its line, because only test statements had given it a
    /// period.
    mutating func enterProduction(_ transaction: TransactionID<Interned>) -> Bool {
        let member = Int(transactions[transaction.index].periodOfLine) - 1
        let wasMember = member >= 0
        if wasMember { lines[member].productionCount += 1 }
        let isOver = wasMember && transactions[transaction.index].expiresAt == nil
        if isOver { leaveLine(transaction) }
        let key = lineIndex(of: transaction)
        if let key { lines[key].isOfProduction = true }
        if let line = lineIndex(of: original(of: transaction)), line != key {
            lines[line].isOfProduction = true
        }
        return isOver
    }

    /// Whether production attests an original, or a transaction outside any line that names it.
    private func isOfProduction(_ original: TransactionID<Interned>) -> Bool {
        isAttested(original, in: .production)
            || transactionsByOriginal.contains(under: UInt32(original.index)) {
                let transaction = TransactionID<Interned>(index: Int($0))
                return isAttested(transaction, in: .production)
                    && self[transaction].original == original
            }
    }

    /// Passes the account that a transaction's earliest statement names to the line of its
    /// original, whether it is a period or not.
    ///
    /// The order in the log does not matter. The account counts for production if both the
    /// transaction and the statement that names the account are from production.
    mutating func nameOwner(by transaction: TransactionID<Interned>) {
        // Restoring a purchase doesn't make an account its owner (G8.6).
        guard !transactions[transaction.index].isOnlyRestored,
            let line = lineIndex(of: original(of: transaction))
        else { return }
        let named = transactions[transaction.index].accountRegister
        let environment = transactions[transaction.index].environment
        let isTest = named.isTest(versions) || environment.map { $0 != .production } ?? false
        lines[line][isTest ? .sandbox : .production].account.assignEarliest(named, &versions)
    }

    /// Removes a transaction from its line.
    ///
    /// Cost: that of the line for the first transaction that leaves it, constant for the others.
    private mutating func leaveLine(_ transaction: TransactionID<Interned>) {
        guard transactions[transaction.index].periodOfLine != 0 else { return }
        let lineIndex = Int(transactions[transaction.index].periodOfLine) - 1
        let before = transactions[transaction.index].previousInLine
        if !lines[lineIndex].losesTransactions {
            lines[lineIndex].losesTransactions = true
            let all = transactions(of: lines[lineIndex])
            for (one, next) in zip(all, all.dropFirst()) {
                record.pointee.nextInLine[HandleKey(one)] = next
            }
        }
        let next = record.pointee.nextInLine[HandleKey(transaction)]
        record.pointee.nextInLine.remove(HandleKey(transaction))
        if let next {
            transactions[next.index].previousInLine = before
        } else {
            lines[lineIndex].lastTransaction = before
        }
        if let before {
            record.pointee.nextInLine[HandleKey(before)] = next
        } else {
            lines[lineIndex].firstTransaction = next
        }
        lines[lineIndex].transactionCount -= 1
        transactions[transaction.index].previousInLine = nil
        transactions[transaction.index].periodOfLine = 0
        if isAttested(transaction, in: .production) { lines[lineIndex].productionCount -= 1 }
        guard lines[lineIndex].isOfProduction, lines[lineIndex].productionCount == 0 else { return }
        lines[lineIndex].isOfProduction = isOfProduction(lines[lineIndex].original)
    }

    /// Records a statement about a line as a whole.
    mutating func observeLine(_ event: Event<Interned>, on line: Line) {
        guard let original = event.fact.original else { return }
        let index = lineIndex(of: original, line.number)
        let environment = environment(of: event)
        if event.type == .accountLinked {
            link(index, in: environment, to: event.account, line.number)
            return
        }
        let time = event.signedAt ?? event.at
        let version = versions.add(event, time: time, in: environment, on: line)
        lines[index][environment].account.assignEarliest(event.account, version, &versions)
        if event.type == .renewalFailed, case .renewalFailed(let payload) = event.fact {
            let state = RetryState.failed(
                retrying: payload.retrying, graceExpiresAt: payload.graceExpiresAt)
            lines[index][environment].retry.assign(state, version, &versions)
            if let end = payload.graceExpiresAt {
                lines[index][environment].gracePeriods.add(end: end, statedAt: time)
            }
        } else if event.type == .renewalGraceExpired {
            lines[index][environment].retry.assign(.graceExpired, version, &versions)
            lines[index][environment].gracePeriods.addEnd(statedAt: time, line.number)
        } else if event.type == .renewalExpired, case .renewalExpired(let payload) = event.fact {
            let expiration = Expiration(reason: payload.reason, expiresAt: payload.expiresAt)
            lines[index][environment].expiration.assign(expiration, version, &versions)
            lines[index][environment].retry.assign(.expired, version, &versions)
            lines[index][environment].gracePeriods.addExpiry(
                statedAt: time, expiresAt: payload.expiresAt, line.number)
        } else if event.type == .renewalTurnedOff,
            case .renewalTurnedOff(_, let commitment) = event.fact
        {
            lines[index][environment].setAutoRenew(
                false, ofCommitment: commitment == true, version, &versions)
        } else if event.type == .renewalTurnedOn,
            case .renewalTurnedOn(_, let commitment) = event.fact
        {
            lines[index][environment].setAutoRenew(
                true, ofCommitment: commitment == true, version, &versions)
        } else if event.type == .renewalPlanChanged,
            case .renewalPlanChanged(let payload) = event.fact
        {
            let change = PlanChange(next: payload.next, effect: payload.effect)
            lines[index][environment].planChange.assign(change, version, &versions)
        } else if event.type == .renewalPriceIncreased,
            case .renewalPriceIncreased(let payload) = event.fact
        {
            lines[index][environment].consent.assign(payload.consent, version, &versions)
        } else if event.type == .renewalExtended, case .renewalExtended(let payload) = event.fact {
            if let transaction = payload.transaction {
                let before = self[transaction].original
                extend(transaction, of: original, in: environment, to: payload.expiresAt, version)
                joinLine(transaction, line.number)
                recordOriginal(transaction, unless: before)
            } else {
                lines[index][environment].extensions.assign(payload.expiresAt, version, &versions)
            }
        }
        versions.discard(version)
        listFamily(of: original)
    }

    /// Extends a transaction's period; test statements do not extend a production period (G9.3).
    private mutating func extend(
        _ transaction: TransactionID<Interned>, of original: TransactionID<Interned>,
        in environment: Environment, to end: Timestamp, _ version: VersionID
    ) {
        let index = touch(transaction)
        guard transactions[index].accepts(environment) else { return }
        transactions[index].assign(expiresAt: end, version, &versions)
        transactions[index].assign(
            original: original == transaction ? nil : original, version, &versions)
    }
}
