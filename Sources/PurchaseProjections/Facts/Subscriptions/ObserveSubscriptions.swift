import PurchaseEvents

/// Subscriptions and their periods (event-log.md, 4).
extension Facts {
    /// The index of an original's subscription; creates the subscription if needed.
    mutating func subscriptionIndex(of original: TransactionHandle, _ line: LineNumber) -> Int {
        let index = touch(original)
        if transactions[index].subscriptionIndex == 0 {
            var facts = SubscriptionFacts(original: original, firstLine: line)
            facts.isOfProduction = isOfProduction(original)
            subscriptions.append(facts)
            transactions[index].subscriptionIndex = UInt32(subscriptions.count)
            // Purchases without an end, as StoreKit 1 tells them, name the subscription's account
            // too.
            nameOwner(by: original)
            for value in transactionsByOriginal.values(under: UInt32(index)) {
                nameOwner(by: TransactionID(index: Int(value)))
            }
        }
        return Int(transactions[index].subscriptionIndex) - 1
    }

    /// Adds a transaction to its original's subscription if statements attest a period for it.
    ///
    /// A transaction belongs to one subscription: it moves if a statement names a different
    /// original. `start` is where its period began before the statement, if the statement may move
    /// that.
    mutating func joinSubscription(
        _ transaction: TransactionHandle, from start: Timestamp?? = nil, _ line: LineNumber
    ) {
        let index = transaction.index
        guard transactions[index].attestsPeriod, transactions[index].expiresAt != nil else {
            return
        }
        let place = subscriptionIndex(of: original(of: transaction), line)
        let member = UInt32(place + 1)
        let isMember = transactions[index].periodOfSubscription == member
        let isMoved = start.map { $0 != transactions[index].purchasedAt } ?? false
        noteStart(of: transaction, isNew: isMoved || !isMember, place)
        guard !isMember else { return }
        leaveSubscription(transaction)
        transactions[index].periodOfSubscription = member
        let last = subscriptions[place].lastTransaction
        transactions[index].previousInSubscription = last
        if let last, subscriptions[place].losesTransactions {
            record.pointee.nextInSubscription[HandleKey(last)] = transaction
        }
        if last == nil { subscriptions[place].firstTransaction = transaction }
        subscriptions[place].lastTransaction = transaction
        subscriptions[place].transactionCount += 1
        if transactions[index].isStatedInProduction {
            subscriptions[place].isOfProduction = true
            subscriptions[place].productionCount += 1
        }
        nameOwner(by: transaction)
        nameGroup(by: transaction)
    }

    /// Notes the start of a period, and whether periods of the subscription came out of order: the
    /// store states each, save a renewal that it may take back, after those before it began.
    private mutating func noteStart(of transaction: TransactionHandle, isNew: Bool, _ place: Int) {
        guard let start = self[transaction].purchasedAt else { return }
        let latest = subscriptions[place].latestStart
        if start > latest {
            if statedAt(transaction) < latest { subscriptions[place].mayTakeBackRenewals = true }
            subscriptions[place].latestStart = start
        } else if isNew {
            subscriptions[place].mayTakeBackRenewals = true
        }
    }

    /// Passes the group that a transaction's statements name to its subscription, whatever its
    /// product.
    mutating func nameGroup(by transaction: TransactionHandle) {
        let member = Int(transactions[transaction.index].periodOfSubscription) - 1
        guard member >= 0 else { return }
        let isTest = !self[transaction].isStated(in: .production)
        let named = transactions[transaction.index].groupRegister
        subscriptions[member].change(in: isTest ? .sandbox : .production) {
            $0.group.assign(named, &versions)
        }
    }

    /// Records that production now attests a transaction, and so the subscriptions that it keys or
    /// belongs to.
    ///
    /// Returns whether the transaction left its subscription, because only test statements had
    /// given it a period.
    mutating func enterProduction(_ transaction: TransactionHandle) -> Bool {
        let member = Int(transactions[transaction.index].periodOfSubscription) - 1
        let wasMember = member >= 0
        if wasMember { subscriptions[member].productionCount += 1 }
        let isOver = wasMember && transactions[transaction.index].expiresAt == nil
        if isOver { leaveSubscription(transaction) }
        let key = subscriptionIndex(of: transaction)
        if let key { subscriptions[key].isOfProduction = true }
        if let subscription = subscriptionIndex(of: original(of: transaction)), subscription != key
        {
            subscriptions[subscription].isOfProduction = true
        }
        return isOver
    }

    /// Whether production attests an original, or a transaction outside any subscription that names
    /// it.
    private func isOfProduction(_ original: TransactionHandle) -> Bool {
        self[original].isStated(in: .production)
            || transactionsByOriginal.contains(under: UInt32(original.index)) {
                let transaction = TransactionHandle(index: Int($0))
                return self[transaction].isStated(in: .production)
                    && self[transaction].original == original
            }
    }

    /// Passes the account that a transaction's earliest statement names to the subscription of its
    /// original, whether it is a period or not.
    ///
    /// The order in the log does not matter. The account counts for production if the statement
    /// that names it is from production.
    mutating func nameOwner(by transaction: TransactionHandle) {
        guard let subscription = subscriptionIndex(of: original(of: transaction)) else { return }
        let named = transactions[transaction.index].ownerRegister
        let environment = named.isTest(versions) ? Environment.sandbox : .production
        subscriptions[subscription].change(in: environment) {
            $0.account.assignEarliest(named, &versions)
        }
    }

    /// Removes a transaction from its subscription.
    ///
    /// Cost: that of the subscription for the first transaction that leaves it, constant for the
    /// others.
    private mutating func leaveSubscription(_ transaction: TransactionHandle) {
        guard transactions[transaction.index].periodOfSubscription != 0 else { return }
        let place = Int(transactions[transaction.index].periodOfSubscription) - 1
        let before = transactions[transaction.index].previousInSubscription
        if !subscriptions[place].losesTransactions {
            subscriptions[place].losesTransactions = true
            let all = transactions(of: subscriptions[place])
            for (one, next) in zip(all, all.dropFirst()) {
                record.pointee.nextInSubscription[HandleKey(one)] = next
            }
        }
        let next = record.pointee.nextInSubscription.remove(HandleKey(transaction))
        if let next {
            transactions[next.index].previousInSubscription = before
        } else {
            subscriptions[place].lastTransaction = before
        }
        if let before {
            record.pointee.nextInSubscription[HandleKey(before)] = next
        } else {
            subscriptions[place].firstTransaction = next
        }
        subscriptions[place].transactionCount -= 1
        transactions[transaction.index].previousInSubscription = nil
        transactions[transaction.index].periodOfSubscription = 0
        if self[transaction].isStated(in: .production) { subscriptions[place].productionCount -= 1 }
        guard subscriptions[place].isOfProduction, subscriptions[place].productionCount == 0 else {
            return
        }
        subscriptions[place].isOfProduction = isOfProduction(subscriptions[place].original)
    }

    mutating func observeSubscription(_ event: LogEvent, on line: Line) {
        guard let original = event.fact.original else { return }
        let index = subscriptionIndex(of: original, line.number)
        let environment = environment(of: event)
        if event.type == .accountLinked {
            link(index, in: environment, to: event.account, line.number, at: event.at)
            return
        }
        let time = event.signedAt ?? event.at
        noteStated(time)
        if case .renewalExpired(let payload) = event.fact { noteStated(payload.expiresAt) }
        let version = versions.add(event, time: time, in: environment, on: line)
        subscriptions[index].change(in: environment) {
            $0.take(event, at: time, version, &versions, line.number)
        }
        if case .renewalExtended(let payload) = event.fact, let transaction = payload.transaction {
            let before = self[transaction].original
            extend(transaction, of: original, in: environment, to: payload.expiresAt, version)
            joinSubscription(transaction, line.number)
            recordOriginal(transaction, unless: before)
        }
        versions.discard(version)
        listFamily(of: original)
        // The original that keys the subscription may be of another one.
        listSubscription(index)
    }

    /// Extends a transaction's period; test statements do not extend a production period (G9.3).
    private mutating func extend(
        _ transaction: TransactionHandle, of original: TransactionHandle,
        in environment: Environment, to end: Timestamp, _ version: VersionID
    ) {
        let index = touch(transaction)
        guard transactions[index].accepts(environment) else { return }
        transactions[index].assign(expiresAt: end, version, &versions)
        transactions[index].assign(
            original: original == transaction ? nil : original, version, &versions)
    }
}
