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

    /// Makes a transaction that attests a period one of its original's line, and tells the line
    /// the transaction's account. A transaction whose original becomes known late moves.
    mutating func placeInLine(_ transaction: TransactionID<Interned>, _ line: LineNumber) {
        let facts = transactions[transaction.index]
        guard facts.attestsPeriod, facts.expiresAt != nil else { return }
        let index = lineIndex(of: original(of: transaction), line)
        if facts.memberOf != index + 1 {
            if facts.memberOf != 0 { leave(transaction, Int(facts.memberOf) - 1) }
            join(transaction, index)
            transactions[transaction.index].memberOf = UInt32(index + 1)
        }
        lines[index].accountRegister.sayFirst(facts.accountRegister, &versions)
    }

    /// Takes a transaction out of a line; rare, so it costs the line's length.
    private mutating func leave(_ transaction: TransactionID<Interned>, _ lineIndex: Int) {
        let others = transactions(of: lines[lineIndex]).filter { $0 != transaction }
        transactions[transaction.index].nextInLine = nil
        lines[lineIndex].firstTransaction = nil
        lines[lineIndex].lastTransaction = nil
        for other in others {
            transactions[other.index].nextInLine = nil
            join(other, lineIndex)
        }
    }

    /// Adds a transaction to the periods of a line.
    private mutating func join(_ transaction: TransactionID<Interned>, _ lineIndex: Int) {
        if let last = lines[lineIndex].lastTransaction {
            transactions[last.index].nextInLine = transaction
        } else {
            lines[lineIndex].firstTransaction = transaction
        }
        lines[lineIndex].lastTransaction = transaction
    }

    /// Takes in what is said of a line as a whole.
    mutating func observeLine(_ event: Event<Interned>, on line: Line) {
        guard let original = event.fact.original else { return }
        let index = lineIndex(of: original, line.number)
        if case .accountLinked = event.fact {
            lines[index].linkedAccount = event.account ?? lines[index].linkedAccount
            lines[index].linkedLine = line.number
            return
        }
        let version = versions.add(event.type, time: event.signedAt ?? event.at, line)
        lines[index].accountRegister.sayFirst(event.account, version, &versions)
        if case .renewalFailed(let said) = event.fact {
            let state = RetryState.failed(
                retrying: said.retrying, graceExpiresAt: said.graceExpiresAt)
            lines[index].retryRegister.say(state, version, &versions)
            if let end = said.graceExpiresAt {
                lines[index].addGrace(until: end, statedAt: event.signedAt ?? event.at)
            }
        } else if case .renewalGraceExpired = event.fact {
            lines[index].retryRegister.say(.graceExpired, version, &versions)
        } else if case .renewalExpired(let said) = event.fact {
            let expiration = Expiration(reason: said.reason, expiresAt: said.expiresAt)
            lines[index].expirationRegister.say(expiration, version, &versions)
            lines[index].retryRegister.say(.expired, version, &versions)
        } else if case .renewalTurnedOff = event.fact {
            lines[index].autoRenewRegister.say(false, version, &versions)
        } else if case .renewalTurnedOn = event.fact {
            lines[index].autoRenewRegister.say(true, version, &versions)
        } else if case .renewalPlanChanged(let said) = event.fact {
            let change = PlanChange(next: said.next, effect: said.effect)
            lines[index].nextProductRegister.say(change, version, &versions)
        } else if case .renewalPriceIncreased(let said) = event.fact {
            lines[index].consentRegister.say(said.consent, version, &versions)
        } else if case .renewalExtended(let said) = event.fact {
            if let transaction = said.transaction {
                let place = touch(transaction)
                transactions[place].expiresAtRegister.say(said.expiresAt, version, &versions)
                placeInLine(transaction, line.number)
            } else {
                lines[index].extensionRegister.say(said.expiresAt, version, &versions)
            }
        }
        versions.discard(version)
    }

    /// The transactions that attest periods of a line, in the order in which they became known.
    public func transactions(of line: LineFacts) -> [TransactionID<Interned>] {
        var all: [TransactionID<Interned>] = []
        var next = line.firstTransaction
        while let transaction = next {
            all.append(transaction)
            next = self[transaction].nextInLine
        }
        return all
    }

    /// The periods of a line by all that is known now, by start and then end.
    ///
    /// Periods with equal start and end are one. With `asOf` only what had happened by then: a
    /// period that had started, a refund that had been given. Costs the number of the line's
    /// transactions, and their sorting.
    public func periods(of line: LineFacts, asOf instant: Timestamp? = nil) -> [Period] {
        var periods: [Period] = []
        for transaction in transactions(of: line) {
            let facts = self[transaction]
            guard facts.attestsPeriod, let start = facts.purchasedAt, let end = facts.expiresAt
            else { continue }
            var period = Period(
                start: start, end: end, accessEnd: end, ended: nil, transaction: transaction,
                product: facts.product)
            if let refund = facts.refund, instant.map({ refund.cancelledAt <= $0 }) ?? true {
                period.accessEnd = min(end, max(start, refund.cancelledAt))
                period.ended = refund.kind == .refunded ? .refunded : .revoked
            } else if facts.isUpgraded {
                period.ended = .upgraded
            }
            periods.append(period)
        }
        periods.sort { precedes($0, $1) }
        periods = merged(periods)
        extend(&periods, line)
        endUpgraded(&periods, asOf: instant)
        addGrace(&periods, line)
        guard let instant else { return periods }
        return periods.filter { $0.start <= instant }
    }

    private func precedes(_ left: Period, _ right: Period) -> Bool {
        if left.start != right.start { return left.start < right.start }
        if left.end != right.end { return left.end < right.end }
        return names.precedes(left.transaction, right.transaction)
    }

    /// Makes periods with equal start and end one: it grants if any of them does.
    private func merged(_ periods: [Period]) -> [Period] {
        var merged: [Period] = []
        for period in periods {
            guard let last = merged.last, last.start == period.start, last.end == period.end else {
                merged.append(period)
                continue
            }
            if period.accessEnd > last.accessEnd || (last.ended != nil && period.ended == nil) {
                merged[merged.count - 1].accessEnd = max(period.accessEnd, last.accessEnd)
                merged[merged.count - 1].ended = period.ended
                merged[merged.count - 1].product = period.product
            }
        }
        return merged
    }

    /// An extension that names no transaction lengthens the period that starts last.
    private func extend(_ periods: inout [Period], _ line: LineFacts) {
        guard let end = line.extensionRegister.value,
            let said = line.extensionRegister.time(versions),
            let index = periods.lastIndex(where: { $0.start <= said }) ?? periods.indices.last,
            periods[index].end < end
        else { return }
        if periods[index].accessEnd == periods[index].end { periods[index].accessEnd = end }
        periods[index].end = end
    }

    /// A period that was upgraded away ends where its successor starts, or at its cancellation
    /// date where no successor is known; before that nothing has ended it yet.
    private func endUpgraded(_ periods: inout [Period], asOf instant: Timestamp?) {
        for index in periods.indices where periods[index].ended == .upgraded {
            let successor =
                index + 1 < periods.count
                ? periods[index + 1].start : self[periods[index].transaction].cancelledAt
            let end = successor ?? periods[index].end
            if let instant, end > instant {
                periods[index].ended = nil
            } else {
                periods[index].accessEnd = min(periods[index].accessEnd, end)
            }
        }
    }

    /// A grace period goes on from the period whose renewal failed: the last that had started when
    /// that was stated, or else the last that ends before the grace does.
    private func addGrace(_ periods: inout [Period], _ line: LineFacts) {
        for grace in line.graces {
            let before = periods.indices.filter { periods[$0].end <= grace.end }
            let started = before.filter { periods[$0].start <= grace.statedAt }
            let candidates = started.isEmpty ? before : started
            guard let index = candidates.max(by: { periods[$0].end < periods[$1].end }),
                periods[index].ended == nil, periods[index].accessEnd < grace.end
            else { continue }
            periods[index].accessEnd = grace.end
        }
    }
}
