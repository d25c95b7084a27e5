import PurchaseEvents

/// Subscription lines and their periods (event-log.md, 4).
extension Facts {
    /// The index of the line of an original, a new one on first sight.
    mutating func lineIndex(of original: TransactionID<Interned>, _ line: LineNumber) -> Int {
        let index = touch(original)
        if transactions[index].lineIndex == 0 {
            var facts = LineFacts(original: original, firstLine: line)
            facts.isOfProduction = isOfProduction(original)
            lines.append(facts)
            transactions[index].lineIndex = UInt32(lines.count)
        }
        return Int(transactions[index].lineIndex) - 1
    }

    /// Puts a transaction among the periods of the line of its original, where statements attest
    /// a period of it.
    ///
    /// A transaction is in one line: where its original turns out to be another one, it moves.
    mutating func join(_ transaction: TransactionID<Interned>, _ line: LineNumber) {
        let index = transaction.index
        guard transactions[index].attestsPeriod, transactions[index].expiresAt != nil else {
            return
        }
        let lineIndex = lineIndex(of: original(of: transaction), line)
        let member = UInt32(lineIndex + 1)
        guard transactions[index].memberOf != member else { return }
        leave(transaction)
        transactions[index].memberOf = member
        if let last = lines[lineIndex].lastTransaction {
            transactions[last.index].nextInLine = transaction
        } else {
            lines[lineIndex].firstTransaction = transaction
        }
        lines[lineIndex].lastTransaction = transaction
        if transactions[index].isStatedInProduction { lines[lineIndex].isOfProduction = true }
        nameOwner(by: transaction)
    }

    /// Notes that a transaction is attested in production from now on, so that the line is that it
    /// keys or belongs to; whether it is no period of one any more, as it was by what was said of
    /// tests.
    mutating func enterProduction(_ transaction: TransactionID<Interned>) -> Bool {
        let wasMember = transactions[transaction.index].memberOf != 0
        let isOver = wasMember && transactions[transaction.index].expiresAt == nil
        if isOver { leave(transaction) }
        let key = lineIndex(of: transaction)
        if let key { lines[key].isOfProduction = true }
        if let line = lineIndex(of: original(of: transaction)), line != key {
            lines[line].isOfProduction = true
        }
        return isOver
    }

    /// Whether a transaction, or what names it as its original and is no period, is attested in
    /// production.
    private func isOfProduction(_ original: TransactionID<Interned>) -> Bool {
        isAttested(original, in: .production)
            || kin.contains(under: UInt32(original.index)) {
                let transaction = TransactionID<Interned>(index: Int($0))
                return isAttested(transaction, in: .production)
                    && self[transaction].original == original
            }
    }

    /// Says of the line that a transaction is a period of whom its facts name first.
    ///
    /// Whatever names an account of a period counts, at whatever place it stands in the log; in
    /// production where both the period and the naming are.
    mutating func nameOwner(by transaction: TransactionID<Interned>) {
        let member = Int(transactions[transaction.index].memberOf) - 1
        guard member >= 0 else { return }
        let named = transactions[transaction.index].accountRegister
        let isOfTests = named.isOfTests(versions) || !isAttested(transaction, in: .production)
        lines[member][isOfTests ? .sandbox : .production].account.sayFirst(named, &versions)
    }

    /// Takes a transaction out of the line that it was counted to.
    private mutating func leave(_ transaction: TransactionID<Interned>) {
        guard transactions[transaction.index].memberOf != 0 else { return }
        let lineIndex = Int(transactions[transaction.index].memberOf) - 1
        let next = transactions[transaction.index].nextInLine
        var before: TransactionID<Interned>?
        var current = lines[lineIndex].firstTransaction
        while let at = current, at != transaction {
            before = at
            current = transactions[at.index].nextInLine
        }
        if let before {
            transactions[before.index].nextInLine = next
        } else {
            lines[lineIndex].firstTransaction = next
        }
        if lines[lineIndex].lastTransaction == transaction {
            lines[lineIndex].lastTransaction = before
        }
        transactions[transaction.index].nextInLine = nil
        transactions[transaction.index].memberOf = 0
        guard lines[lineIndex].isOfProduction else { return }
        let line = lines[lineIndex]
        lines[lineIndex].isOfProduction =
            isOfProduction(line.original)
            || transactions(of: line).contains { isAttested($0, in: .production) }
    }

    /// Takes in what is said of a line as a whole.
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
        lines[index][environment].account.sayFirst(event.account, version, &versions)
        if event.type == .renewalFailed, case .renewalFailed(let said) = event.fact {
            let state = RetryState.failed(
                retrying: said.retrying, graceExpiresAt: said.graceExpiresAt)
            lines[index][environment].retry.say(state, version, &versions)
            if let end = said.graceExpiresAt {
                lines[index][environment].graces.say(end: end, said: time)
            }
        } else if event.type == .renewalGraceExpired {
            lines[index][environment].retry.say(.graceExpired, version, &versions)
            lines[index][environment].graces.sayOver(said: time, line.number)
        } else if event.type == .renewalExpired, case .renewalExpired(let said) = event.fact {
            let expiration = Expiration(reason: said.reason, expiresAt: said.expiresAt)
            lines[index][environment].expiration.say(expiration, version, &versions)
            lines[index][environment].retry.say(.expired, version, &versions)
            lines[index][environment].graces.sayExpired(
                said: time, expiresAt: said.expiresAt, line.number)
        } else if event.type == .renewalTurnedOff {
            lines[index][environment].turn(false, version, &versions)
        } else if event.type == .renewalTurnedOn {
            lines[index][environment].turn(true, version, &versions)
        } else if event.type == .renewalPlanChanged, case .renewalPlanChanged(let said) = event.fact
        {
            let change = PlanChange(next: said.next, effect: said.effect)
            lines[index][environment].planChange.say(change, version, &versions)
        } else if event.type == .renewalPriceIncreased,
            case .renewalPriceIncreased(let said) = event.fact
        {
            lines[index][environment].consent.say(said.consent, version, &versions)
        } else if event.type == .renewalExtended, case .renewalExtended(let said) = event.fact {
            if let transaction = said.transaction {
                let before = self[transaction].original
                extend(transaction, of: original, in: environment, to: said.expiresAt, version)
                join(transaction, line.number)
                joinKin(transaction, unless: before)
            } else {
                lines[index][environment].extensions.say(said.expiresAt, version, &versions)
            }
        }
        versions.discard(version)
        listFamily(of: original)
    }

    /// Lengthens the period of a transaction; what is said of tests lengthens none of production
    /// (G9.3).
    private mutating func extend(
        _ transaction: TransactionID<Interned>, of original: TransactionID<Interned>,
        in environment: Environment, to end: Timestamp, _ version: VersionID
    ) {
        let index = touch(transaction)
        guard transactions[index].heeds(environment) else { return }
        transactions[index].say(expiresAt: end, version, &versions)
        transactions[index].say(
            original: original == transaction ? nil : original, version, &versions)
    }
}
