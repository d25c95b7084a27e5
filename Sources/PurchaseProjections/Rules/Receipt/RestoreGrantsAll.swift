import PurchaseEvents

/// A restore brings back everything that the account owns (G8.4).
///
/// Keeps one small record for each original that a restore could name. A product counts as granted
/// if one of its transactions is delivered or the product was found unlocked. It counts as pending
/// if its latest queue entry is unfinished or arrived during this restore;
/// `finished-implies-delivered` reports an entry finished without delivery.
struct RestoreGrantsAll: CatalogueRule {
    static let id = "restore-grants-all"
    static let level = Level.warning
    static let statement =
        "When a restore completes, every non-consumable and running auto-renewable subscription "
        + "of the account is granted, pending or left out by selection."
    static let evidence = ["G8.4", "I6"]
    static let reads = EventTypes(
        .queuePurchased, .queueRestored, .receiptListed, .renewalStarted, .renewalRenewed,
        .deliveryDelivered, .deliveryWithdrawn, .deliveryUnlocked, .accountLinked,
        .restoreRequested, .restoreCompleted)

    /// The deliveries and presentations of one original.
    private struct Record {
        var original = TransactionID<Interned>(index: 0)
        var product = ProductID<Interned>(index: 0)
        @Packed var account: AccountID<Interned>?
        @Packed var delivered: TransactionID<Interned>?
        @Packed var presented: TransactionID<Interned>?
        var presentedLine: LineNumber = 0
        var environment = Environment.production
    }

    /// A record in the list of an account; links are indices plus 1, and 0 ends a list.
    private struct Link {
        var record: UInt32 = 0, next: UInt32 = 0
    }

    private var records = DenseTable(Record())
    private var links = DenseTable(Link())
    /// For each original, the index of its record plus 1; and for each account, the head of its
    /// list.
    private var places = DenseTable<UInt32>(0)
    private var heads = DenseTable<UInt32>(0)
    private var unlocked: Set<Holder> = []
    /// For each original, earlier deliveries of another product outside any period.
    private var deliveredBefore: [TransactionID<Interned>: [TransactionID<Interned>]] = [:]
    /// The account of each device's latest restore request.
    private var restorers = DenseTable<AccountID<Interned>?>(nil)

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if event.type == .deliveryDelivered, let transaction = event.transaction {
            let place = places[facts.original(of: transaction).index]
            if place != 0 { deliver(transaction, Int(place) - 1, facts) }
        } else if event.type == .deliveryWithdrawn, let transaction = event.transaction {
            guard !unlocked.isEmpty, let product = facts[transaction].product,
                let account = event.account ?? facts.owner(of: transaction)
            else { return }
            unlocked.remove(Holder(account: account, product: product))
        } else if event.type == .deliveryUnlocked, case .deliveryUnlocked(let product) = event.fact
        {
            guard let account = event.account else { return }
            unlocked.insert(Holder(account: account, product: product))
        } else if event.type == .accountLinked, case .accountLinked(let linked) = event.fact {
            let place = places[linked.original.index]
            if place != 0 { chain(Int(place) - 1, facts) }
        } else if event.type == .restoreRequested {
            restorers[Facts.index(of: event.device)] = event.account
        } else if event.type == .restoreCompleted {
            let restorer = restorers[Facts.index(of: event.device)]
            guard let account = event.account ?? restorer else { return }
            complete(account, event, line, facts, &report)
        } else {
            state(event, line.number, facts)
        }
    }

    private mutating func deliver(
        _ transaction: TransactionID<Interned>, _ index: Int, _ facts: Facts
    ) {
        let before = records[index].delivered
        records[index].delivered = transaction
        guard let before, facts[before].periodOfLine == 0,
            facts[before].product != facts[transaction].product
        else { return }
        deliveredBefore[records[index].original, default: []].append(before)
    }

    /// Records a statement about a transaction that a restore may bring back.
    private mutating func state(
        _ event: Event<Interned>, _ line: LineNumber, _ facts: Facts
    ) {
        guard let transaction = event.transaction, let product = event.product else {
            return
        }
        switch facts.kind(of: transaction) {
        case .consumable, .nonRenewing: return
        case .nonConsumable, .autoRenewable, nil: break
        }
        let original = facts.original(of: transaction)
        if places[original.index] == 0 {
            records.append(
                Record(
                    original: original, product: product,
                    environment: facts.environment(of: event)))
            places[original.index] = UInt32(records.count)
        }
        let index = Int(places[original.index]) - 1
        if event.type == .queuePurchased || event.type == .queueRestored {
            records[index].presented = transaction
            records[index].presentedLine = line
        }
        chain(index, facts)
    }

    /// Adds a record to its owner's list.
    private mutating func chain(_ index: Int, _ facts: Facts) {
        let owner = facts.owner(of: records[index].original)
        guard let owner, owner != records[index].account else { return }
        records[index].account = owner
        links.append(Link(record: UInt32(index), next: heads[owner.index]))
        heads[owner.index] = UInt32(links.count)
    }

    /// Judges every record of the account that restored.
    private func complete(
        _ account: AccountID<Interned>, _ event: Event<Interned>, _ line: Line, _ facts: Facts,
        _ report: inout Report
    ) {
        report.test()
        let device = facts[event.device]
        var fine: Set<ProductID<Interned>> = []
        var missing: [(record: Record, product: ProductID<Interned>)] = []
        var link = heads[account.index]
        while link != 0 {
            let record = records[Int(links[Int(link) - 1].record)]
            link = links[Int(link) - 1].next
            guard record.account == account,
                record.environment == facts.environment(of: event),
                let (product, period) = owed(record, at: event.at, facts)
            else { continue }
            if device.excludesFromRestore(product) || isGranted(record, product, period, facts)
                || isPending(record, since: device.restoreRequestedLine, facts)
                || unlocked.contains(Holder(account: account, product: product))
            {
                fine.insert(product)
            } else {
                missing.append((record, product))
            }
        }
        for (record, product) in missing.reversed() where fine.insert(product).inserted {
            find(record, product, account, event, line, facts, &report)
        }
    }

    /// The product and transaction that entitle at an instant; `nil` if nothing is owed.
    private func owed(
        _ record: Record, at instant: Timestamp, _ facts: Facts
    ) -> (ProductID<Interned>, TransactionID<Interned>)? {
        switch facts[record.product].kind ?? facts.kind(of: record.original) {
        case .nonConsumable:
            let known = facts[record.original]
            guard known.refund == nil, known.validation != .invalid else { return nil }
            return (record.product, record.original)
        case .autoRenewable:
            guard let line = facts.line(of: record.original) else { return nil }
            let period = facts.periods(of: line).last { $0.grants(at: instant) }
            return period.map { ($0.product ?? record.product, $0.transaction) }
        case .consumable, .nonRenewing, nil:
            return nil
        }
    }

    /// Whether a transaction of the product is delivered.
    ///
    /// A delivered transaction of another plan counts only until the period's own transaction is
    /// finished, because until then the queue may still present that transaction.
    private func isGranted(
        _ record: Record, _ product: ProductID<Interned>, _ period: TransactionID<Interned>,
        _ facts: Facts
    ) -> Bool {
        guard let delivered = record.delivered else { return false }
        if !facts[period].isFinished, facts[delivered].isDelivered { return true }
        let grants = { (transaction: TransactionID<Interned>) in
            facts[transaction].isDelivered
                && (facts[transaction].product.map { $0 == product } ?? true)
        }
        if grants(delivered) { return true }
        if let before = deliveredBefore[record.original], before.contains(where: grants) {
            return true
        }
        return facts.line(of: record.original).map {
            facts.transactions(of: $0).contains(where: grants)
        } ?? false
    }

    private func isPending(
        _ record: Record, since requested: LineNumber, _ facts: Facts
    ) -> Bool {
        guard let presented = record.presented else { return false }
        return record.presentedLine > requested || !facts[presented].isFinished
    }

    private func find(
        _ record: Record, _ product: ProductID<Interned>, _ account: AccountID<Interned>,
        _ event: Event<Interned>, _ line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if let reason = facts.incompleteReason {
            return report.cannotTell("whether what a restore left out was granted: \(reason)")
        }
        let name = facts.names.text(of: product)
        let original = facts.text(record.original)
        let stated = facts[record.original].statedLine
        let requested = facts[event.device].restoreRequestedLine
        var notes: [Finding.Note] = []
        if stated != 0 {
            notes.append(
                Finding.Note(
                    line: stated,
                    message: "let account \(facts.names.text(of: account)) own \(name) by "
                        + "transaction \(original)"))
        }
        if requested != 0 {
            notes.append(Finding.Note(line: requested, message: "then a restore was requested"))
        }
        report.find(
            event, on: line, facts, account: account, key: original,
            "the restore completed without \(name), transaction \(original): expected it granted, "
                + "pending or left out by restore.selected",
            notes: notes,
            hint: "look at which App Store account restored: the account owns the product and "
                + "still can't use it")
    }
}
