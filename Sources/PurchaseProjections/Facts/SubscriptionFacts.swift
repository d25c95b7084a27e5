import PurchaseEvents

/// Subscription lines and their periods (event-log.md, 4).
extension Facts {
    /// The index of the line of an original, a new one on first sight.
    mutating func lineIndex(of original: TransactionID<Interned>, _ line: LineNumber) -> Int {
        let index = touch(original)
        if transactions[index].lineIndex == 0 {
            lines.append(LineFacts(original: original, firstLine: line))
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
        nameOwner(by: transaction)
    }

    /// Says of the line that a transaction is a period of whom its facts name first.
    ///
    /// Whatever names an account of a period counts, at whatever place it stands in the log.
    mutating func nameOwner(by transaction: TransactionID<Interned>) {
        let member = Int(transactions[transaction.index].memberOf) - 1
        guard member >= 0 else { return }
        let named = transactions[transaction.index].accountRegister
        if isAttested(transaction, in: .production) {
            lines[member].accountRegister.sayFirst(named, &versions)
        } else {
            lines[member].testAccountRegister.sayFirst(named, &versions)
        }
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
    }

    /// Takes in what is said of a line as a whole.
    mutating func observeLine(_ event: Event<Interned>, on line: Line) {
        guard let original = event.fact.original else { return }
        let index = lineIndex(of: original, line.number)
        if event.type == .accountLinked {
            link(index, to: event.account, line.number)
            return
        }
        let time = event.signedAt ?? event.at
        let environment = environment(of: event)
        let version = versions.add(event, time: time, on: line)
        if environment == .production {
            lines[index].accountRegister.sayFirst(event.account, version, &versions)
        } else {
            lines[index].testAccountRegister.sayFirst(event.account, version, &versions)
        }
        if event.type == .renewalFailed, case .renewalFailed(let said) = event.fact {
            let state = RetryState.failed(
                retrying: said.retrying, graceExpiresAt: said.graceExpiresAt)
            lines[index].retryRegister.say(state, version, &versions)
            if let end = said.graceExpiresAt {
                lines[index][environment].graces.say(end: end, said: time)
            }
        } else if event.type == .renewalGraceExpired {
            lines[index].retryRegister.say(.graceExpired, version, &versions)
            lines[index][environment].graces.sayOver(said: time, line.number)
        } else if event.type == .renewalExpired, case .renewalExpired(let said) = event.fact {
            let expiration = Expiration(reason: said.reason, expiresAt: said.expiresAt)
            lines[index].expirationRegister.say(expiration, version, &versions)
            lines[index].retryRegister.say(.expired, version, &versions)
            lines[index][environment].graces.sayOver(
                said: time, expiresAt: said.expiresAt, line.number)
        } else if event.type == .renewalTurnedOff {
            lines[index].autoRenewRegister.say(false, version, &versions)
        } else if event.type == .renewalTurnedOn {
            lines[index].autoRenewRegister.say(true, version, &versions)
        } else if event.type == .renewalPlanChanged, case .renewalPlanChanged(let said) = event.fact
        {
            let change = PlanChange(next: said.next, effect: said.effect)
            lines[index].nextProductRegister.say(change, version, &versions)
        } else if event.type == .renewalPriceIncreased,
            case .renewalPriceIncreased(let said) = event.fact
        {
            lines[index].consentRegister.say(said.consent, version, &versions)
        } else if event.type == .renewalExtended, case .renewalExtended(let said) = event.fact {
            if let transaction = said.transaction {
                let place = touch(transaction)
                transactions[place].say(expiresAt: said.expiresAt, version, &versions)
                transactions[place].say(
                    original: original == transaction ? nil : original, version, &versions)
                join(transaction, line.number)
            } else {
                lines[index][environment].extensions.say(said.expiresAt, version, &versions)
            }
        }
        versions.discard(version)
        listFamily(of: original)
    }
}
