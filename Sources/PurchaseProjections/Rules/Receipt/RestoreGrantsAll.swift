import PurchaseEvents

/// A restore brings back everything that the account owns (G8.4).
///
/// Keeps one small record for each original that a restore could name. A product counts as granted
/// if one of its transactions is delivered or the product was found unlocked. It counts as pending
/// if its latest queue entry is unfinished or arrived during this restore;
/// `finished-implies-delivered` reports an entry finished without delivery.
///
/// Nobody is blamed for what arrived late: a refund or an end that the log heard of after a restore
/// and that is dated before it excuses the restore.
///
/// A restore looks only at the records that something may have changed since the account's latest
/// restore: an event, or the start or end of a period. A restore is judged no earlier than the
/// account's restore before it, and one that selects many products once for each request.
struct RestoreGrantsAll: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "When a restore completes, every non-consumable and running auto-renewable subscription "
        + "of the account is granted, pending or left out by selection; a new plan of a granted "
        + "subscription is pending until its transaction is finished."
    static let evidence = ["G8.4", "I6"]
    static let reads = EventTypes(
        .queuePurchased, .queueRestored, .queueFinished, .receiptListed, .renewalStarted,
        .renewalRenewed, .renewalFailed, .renewalGraceExpired, .renewalExpired, .renewalExtended,
        .renewalTurnedOff, .renewalTurnedOn, .renewalPlanChanged, .renewalPriceIncreased,
        .deliveryDelivered, .deliveryWithdrawn, .deliveryUnlocked, .deliveryValidated,
        .cancellationRefunded, .cancellationRevoked, .cancellationReversed, .accountLinked,
        .catalogListed, .restoreRequested, .restoreCompleted)

    /// A record in the list of an account; links are indices plus 1, and 0 ends a list.
    private struct Link {
        var record: UInt32 = 0, next: UInt32 = 0
    }

    private var records = DenseTable(RestorableRecord())
    private var links = DenseTable(Link())
    /// For each original, the index of its record plus 1.
    private var places = DenseTable<UInt32>(0)
    /// For each account and environment, the head of the list of stale records.
    private var stale = DenseTable<UInt32>(0)
    private var restorers: [Int: Restorer] = [:]
    private var unlocked: Set<Holder> = []
    /// The first line at which each product was found unlocked without an account.
    private var unlockedByAnyone: [ProductHandle: LineNumber] = [:]
    /// For each original, earlier deliveries of another product outside any period.
    private var deliveredBefore: [TransactionHandle: [TransactionHandle]] = [:]
    /// For each transaction whose finish matters, the index of its record plus 1.
    private var awaited = HandleMap<UInt32>(0)
    private var kinds = RecordsByKind()
    /// The account of each device's latest restore request.
    private var requesters = DenseTable<AccountHandle?>(nil)
    /// An original whose subscription holds too many periods to be looked through at each restore.
    private var large: TransactionHandle?
    /// The latest request with a long selection on each device that was judged for an account.
    private var judgedSelections = HandleMap<LineNumber>(0)

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&records).visit(&links).visit(&places).visit(&stale).visit(&restorers)
        visitor.visit(&unlocked).visit(&unlockedByAnyone).visit(&deliveredBefore).visit(&awaited)
        visitor.visit(&kinds).visit(&requesters).visit(&large).visit(&judgedSelections)
    }

    /// The number of products from which a selection is long.
    private static let longSelection = 128

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        // The frequent events first.
        if event.type == .queueFinished {
            if !awaited.isEmpty { finish(event, facts) }
        } else if let product = event.product, let transaction = event.transaction {
            state(transaction, product, event, facts)
        } else if event.type == .deliveryDelivered, let transaction = event.transaction {
            deliver(transaction, facts)
        } else {
            follow(event, on: line, facts, &report)
        }
    }

    @inline(never)
    private mutating func follow(
        _ event: LogEvent, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if event.type == .deliveryUnlocked, case .deliveryUnlocked(let product) = event.fact {
            if let account = event.account {
                unlock(product, of: account, true)
            } else if unlockedByAnyone[product] == nil {
                unlockedByAnyone[product] = line.number
            }
        } else if event.type == .restoreRequested {
            requesters[Facts.index(of: event.device)] = event.account
        } else if event.type == .restoreCompleted {
            let requester = requesters[Facts.index(of: event.device)]
            guard let account = event.account ?? requester else { return }
            complete(account, event, line, facts, &report)
        } else if event.type == .catalogListed, let product = event.product {
            learnKind(of: product, facts)
        } else if event.type == .accountLinked, case .accountLinked(let linked) = event.fact {
            follow(linked.original, facts)
        } else if let named = event.fact.original ?? event.transaction {
            if event.type == .deliveryWithdrawn { withdraw(named, event, facts) }
            follow(facts.original(of: named), facts, by: event.transaction)
        }
    }

    private mutating func finish(_ event: LogEvent, _ facts: Facts) {
        guard let transaction = facts.finishedTransaction(of: event),
            let record = awaited.remove(HandleKey(transaction))
        else { return }
        makeStale(Int(record) - 1)
    }

    private mutating func deliver(_ transaction: TransactionHandle, _ facts: Facts) {
        let place = places[facts.original(of: transaction).index]
        guard place != 0 else { return }
        let index = Int(place) - 1
        makeStale(index)
        let before = records[index].delivered
        records[index].delivered = transaction
        guard let before, facts[before].periodOfSubscription == 0,
            facts[before].product != facts[transaction].product
        else { return }
        deliveredBefore[records[index].original, default: []].append(before)
    }

    private mutating func withdraw(
        _ transaction: TransactionHandle, _ event: LogEvent, _ facts: Facts
    ) {
        guard !unlocked.isEmpty, let product = facts[transaction].product,
            let account = event.account ?? facts.owner(of: transaction)
        else { return }
        unlock(product, of: account, false)
    }

    private mutating func unlock(
        _ product: ProductHandle, of account: AccountHandle, _ isUnlocked: Bool
    ) {
        let holder = Holder(account: account, product: product)
        let isChanged =
            isUnlocked ? unlocked.insert(holder).inserted : unlocked.remove(holder) != nil
        guard isChanged, !restorers.isEmpty else { return }
        for environment in Environment.allCases {
            let place = account.index(in: environment)
            guard let restorer = restorers.index(forKey: place) else { continue }
            restorers.values[restorer].restored.unlock(product, isUnlocked)
        }
    }

    /// Records a statement about a transaction that a restore may bring back.
    private mutating func state(
        _ transaction: TransactionHandle, _ product: ProductHandle,
        _ event: LogEvent, _ facts: Facts
    ) {
        learnKind(of: product, facts)
        switch facts.kind(of: transaction) {
        case .consumable, .nonRenewing: kinds.passOver(product)
        case .nonConsumable, .autoRenewable, nil:
            enter(transaction, product, facts.environment(of: event), facts)
        }
    }

    /// Records what is known of a transaction that a restore may bring back.
    private mutating func enter(
        _ transaction: TransactionHandle, _ product: ProductHandle,
        _ environment: Environment, _ facts: Facts
    ) {
        let original = facts.original(of: transaction)
        if places[original.index] == 0 {
            records.append(
                RestorableRecord(original: original, product: product, environment: environment))
            places[original.index] = UInt32(records.count)
        }
        let index = Int(places[original.index]) - 1
        // What came before the transaction was known to be of its original counts too.
        if records[index].delivered == nil, facts[transaction].deliveredLine != 0 {
            records[index].delivered = transaction
        }
        let presented = max(
            facts[transaction].latestPurchasedLine, facts[transaction].latestRestoredLine)
        if presented > records[index].presentedLine {
            records[index].presented = transaction
            records[index].presentedLine = presented
        }
        follow(original, facts, by: transaction)
        if original != transaction { follow(transaction, facts) }
    }

    /// Looks again at the records of a product that were judged by another kind.
    private mutating func learnKind(of product: ProductHandle, _ facts: Facts) {
        for record in kinds.change(product, to: facts[product].kind) { makeStale(Int(record)) }
        guard kinds.takesUp(product, facts[product].kind) else { return }
        for transaction in facts.knownTransactions where facts[transaction].product == product {
            enter(transaction, product, facts[transaction].environment ?? .production, facts)
        }
    }

    /// Moves an original's record to its owner, or to that of a transaction in its name if the
    /// original has none, and has the record looked at again.
    private mutating func follow(
        _ original: TransactionHandle, _ facts: Facts, by member: TransactionHandle? = nil
    ) {
        let place = places[original.index]
        guard place != 0 else { return }
        let index = Int(place) - 1
        var owner = facts.owner(of: original)
        if owner == nil, records[index].account == nil {
            owner = member.flatMap { facts.owner(of: $0) }
        }
        if let owner, owner != records[index].account {
            if records[index].status != .none { count(index, -1) }
            records[index].status = .none
            records[index].account = owner
            records[index].isStale = false
        }
        makeStale(index)
    }

    /// Adds a record to its owner's list of stale records.
    private mutating func makeStale(_ index: Int) {
        guard !records[index].isStale, let account = records[index].account else { return }
        records[index].isStale = true
        let place = account.index(in: records[index].environment)
        links.append(Link(record: UInt32(index), next: stale[place]))
        stale[place] = UInt32(links.count)
    }

    /// Counts a record's status in, or out with the count -1.
    private mutating func count(_ index: Int, _ count: Int) {
        let record = records[index]
        guard record.status != .none, let account = record.account else { return }
        let isUnlocked = unlocked.contains(Holder(account: account, product: record.judged))
        restorers[account.index(in: record.environment)]?.restored.count(
            UInt32(index), of: record.judged, isFine: record.status == .fine,
            isUnlocked: isUnlocked, count)
    }

    private mutating func complete(
        _ account: AccountHandle, _ event: LogEvent, _ line: Line, _ facts: Facts,
        _ report: inout Report
    ) {
        report.test()
        let requested = facts[event.device].restoreRequestedLine
        let selected = facts[event.device].selectedProducts
        if selected.count >= RestoreGrantsAll.longSelection {
            let device = UInt32(truncatingIfNeeded: Facts.index(of: event.device))
            let key = HandleKey(device, account.name.rawValue)
            if judgedSelections[key] == requested { return }
            judgedSelections[key] = requested
        }
        let place = account.index(in: facts.environment(of: event))
        if restorers[place] == nil { restorers[place] = Restorer(account: account) }
        update(place, at: event.at, requested: requested, facts)
        if let reason = facts.incompleteReason {
            guard restorers[place]?.restored.isMissing(among: selected) == true else { return }
            return report.cannotTell("whether what a restore left out was granted: \(reason)")
        }
        let records = records
        let at = restorers[place]?.latestAt ?? event.at
        restorers[place]?.restored.restore(
            line.number, requested: requested, at: at, selected: selected
        ) { records[Int($0)].status == .wanting }
    }

    /// Looks again at the records of an account that may have changed since its latest restore.
    private mutating func update(
        _ place: Int, at instant: Timestamp, requested: LineNumber, _ facts: Facts
    ) {
        let at = max(instant, restorers[place]?.latestAt ?? instant)
        restorers[place]?.latestAt = at
        while let record = restorers[place]?.byTime.next(upTo: at.milliseconds) {
            makeStale(Int(record))
        }
        while let record = restorers[place]?.byLine.next(upTo: Int64(requested)) {
            makeStale(Int(record))
        }
        var link = stale[place]
        stale[place] = 0
        while link != 0 {
            let index = Int(links[Int(link) - 1].record)
            link = links[Int(link) - 1].next
            guard let account = records[index].account,
                account.index(in: records[index].environment) == place
            else { continue }
            records[index].isStale = false
            judge(index, place, at: at, requested: requested, facts)
        }
    }

    private mutating func judge(
        _ index: Int, _ place: Int, at instant: Timestamp, requested: LineNumber, _ facts: Facts
    ) {
        let found = facts.status(
            of: records[index], at: instant, requested: requested,
            others: deliveredBefore[records[index].original] ?? [])
        count(index, -1)
        (records[index].status, records[index].judged) = (found.status, found.product)
        count(index, 1)
        if let end = found.until {
            restorers[place]?.byTime.add(UInt32(index), at: end.milliseconds)
        }
        if let line = found.presentedLine {
            restorers[place]?.byLine.add(UInt32(index), at: Int64(line))
        }
        if let transaction = found.awaited { awaited[HandleKey(transaction)] = UInt32(index) + 1 }
        if found.isTooLarge { large = records[index].original }
        let product = records[index].product
        kinds.list(UInt32(index), product, facts[product].kind)
    }

    private struct Missed {
        var account: AccountHandle
        var product: ProductHandle
        /// The index of the record of an original that should have been restored.
        var record: UInt32
        var known: RestoredProducts.Product
        var first: RestoredProducts.FirstMiss
    }

    /// The products that a restore missed and that were owed then by all that the log attests.
    private mutating func missedProducts(_ facts: Facts) -> [Missed] {
        var missed: [Missed] = []
        for place in restorers.keys {
            guard var restorer = restorers[place] else { continue }
            restorer.restored.end()
            for (product, known) in restorer.restored.products {
                guard let first = known.first else { continue }
                let owed = known.candidates.first { record in
                    let record = records[Int(record)]
                    let wasOwed = facts.wasOwed(product, of: record, at: first.at)
                    if wasOwed == nil { large = record.original }
                    return wasOwed ?? false
                }
                guard let owed, !kinds.unsettled.contains(records[Int(owed)].product)
                else { continue }
                missed.append(
                    Missed(
                        account: restorer.account, product: product, record: owed, known: known,
                        first: first))
            }
        }
        return missed.sorted { ($0.first.line, $0.record) < ($1.first.line, $1.record) }
    }

    mutating func finish(facts: Facts, report: inout Report) {
        let missed = missedProducts(facts)
        if let large {
            report.cannotTell(
                "line \(facts.text(large)) holds too many periods to tell what was running at each "
                    + "restore")
        }
        for product in kinds.unsettled.sorted(by: { $0.index < $1.index }) {
            report.cannotTell(
                "\(facts.names.text(of: product)) changes its kind too often to tell what each "
                    + "restore should have given back")
        }
        for missed in missed {
            if let line = unlockedByAnyone[missed.product], line < missed.first.line {
                report.cannotTell(
                    "\(facts.names.text(of: missed.product)) was found unlocked without an account")
                continue
            }
            find(missed, facts, &report)
        }
    }

    private func find(_ missed: Missed, _ facts: Facts, _ report: inout Report) {
        let record = records[Int(missed.record)].original
        let name = facts.names.text(of: missed.product)
        let others = FindingPhrases.others(of: missed.known.missed).map { " and \($0)" } ?? ""
        report.find(
            at: missed.first.line, facts, account: missed.account, key: facts.text(record),
            "the restore\(others) completed without \(name), transaction \(facts.text(record)): "
                + "expected it granted, pending or left out by restore.selected",
            notes: RestoreGrantsAll.notes(
                "let account \(facts.names.text(of: missed.account)) own \(name) by transaction "
                    + facts.text(record), stated: facts[record].statedLine, missed.known),
            hint: "look at which App Store account restored: the account owns the product and "
                + "still can't use it")
    }

    private static func notes(
        _ owned: String, stated: LineNumber, _ known: RestoredProducts.Product
    ) -> [Finding.Note] {
        let requested = known.first?.requestedLine ?? 0
        return Finding.note(stated, owned)
            + Finding.note(requested, "then a restore was requested")
            + Finding.note(
                known.missed > 1 ? known.lastLine : 0,
                "then this was the last of \(known.missed) such restores")
    }
}
