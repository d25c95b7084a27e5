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

    /// Adds a transaction to the periods of a line, once.
    mutating func join(_ transaction: TransactionID<Interned>, _ lineIndex: Int) {
        let isKnown =
            transactions[transaction.index].nextInLine != nil
            || lines[lineIndex].lastTransaction == transaction
        guard !isKnown else { return }
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
            if let end = said.graceExpiresAt, !lines[index].graceEnds.contains(end) {
                lines[index].graceEnds.append(end)
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
            guard facts.attestsPeriod, let start = facts.purchasedAt, let end = facts.expiresAt,
                instant.map({ start <= $0 }) ?? true
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
        endUpgraded(&periods)
        addGrace(&periods, line)
        return periods
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
        guard let end = line.extensionRegister.value, let said = line.extensionRegister.time(versions),
            let index = periods.lastIndex(where: { $0.start <= said }) ?? periods.indices.last,
            periods[index].end < end
        else { return }
        if periods[index].accessEnd == periods[index].end { periods[index].accessEnd = end }
        periods[index].end = end
    }

    /// A period that was upgraded away ends where its successor starts.
    private func endUpgraded(_ periods: inout [Period]) {
        for index in periods.indices where periods[index].ended == .upgraded {
            guard index + 1 < periods.count else { continue }
            let successor = periods[index + 1].start
            periods[index].accessEnd = min(periods[index].accessEnd, successor)
        }
    }

    /// A grace period goes on from the period that ended last before its own end.
    private func addGrace(_ periods: inout [Period], _ line: LineFacts) {
        for grace in line.graceEnds {
            let before = periods.indices.filter { periods[$0].end <= grace }
            guard let index = before.max(by: { periods[$0].end < periods[$1].end }),
                periods[index].ended == nil, periods[index].accessEnd < grace
            else { continue }
            periods[index].accessEnd = grace
        }
    }
}
