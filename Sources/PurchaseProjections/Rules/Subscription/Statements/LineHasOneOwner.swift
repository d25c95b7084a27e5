import PurchaseEvents

/// A subscription belongs to one account until it is linked to another, and a transaction to
/// one subscription (G3.4, I7).
///
/// Statements about a subscription, with or without an end, name the subscription's first account,
/// that of the least version whatever arrived first, or the account that `account.linked` moved it
/// to. After a move they may keep naming an earlier account, because renewals carry the first token
/// forever. Judged at the end of the log; costs twelve bytes for each statement that names an
/// account.
struct LineHasOneOwner: CatalogueRule {
    static let level = Level.warning
    static let statement = """
        The statements about a subscription line name one account, that of the statement signed \
        first, until account.linked moves the line to another; those about a transaction of it \
        name one line.
        """
    static let evidence = ["G3.4", "I7"]
    static let reads = EventTypes(
        .queuePurchased, .receiptListed, .renewalStarted, .renewalRenewed, .renewalFailed,
        .renewalGraceExpired, .renewalExpired, .renewalTurnedOff, .renewalTurnedOn,
        .renewalPlanChanged, .renewalPriceIncreased, .renewalExtended, .cancellationRefunded,
        .cancellationRevoked, .cancellationReversed, .accountLinked)

    /// A statement that names an account, or a link.
    private struct Naming: Sendable {
        var account = AccountID<Interned>(index: 0)
        var line: LineNumber = 0
        /// The statement about the subscription before this one, plus 1; 0 if there is none.
        var previous: UInt32 = 0
    }

    /// The original that a transaction's first statement names, plus 1, and its line.
    private struct Membership {
        var original: UInt32 = 0
        var line: LineNumber = 0
    }

    private var memberships = DenseTable(Membership())
    private var namings = DenseTable(Naming())
    /// The latest naming of each subscription, plus 1, by subscription index.
    private var latest = DenseTable<UInt32>(0)
    /// Whether several accounts are named, or the subscription was linked.
    private var isMixed = DenseTable(false)
    /// The accounts that links move subscriptions from, by the line of the link.
    private var links: [LineNumber: AccountID<Interned>?] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&memberships)
        visitor.visit(&namings)
        visitor.visit(&latest)
        visitor.visit(&isMixed)
        visitor.visit(&links)
    }

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if let transaction = event.transaction, let original = event.fact.original,
            facts.subscriptionIndex(of: facts.original(of: transaction)) != nil
        {
            join(transaction, original, event, on: line, facts, &report)
        }
        guard let account = event.account, let index = facts.subscriptionIndex(of: event.fact)
        else { return }
        let before = latest[index]
        if before == 0 { report.test() }
        namings.append(Naming(account: account, line: line.number, previous: before))
        latest[index] = UInt32(namings.count)
        if case .accountLinked(let linked) = event.fact {
            links.updateValue(linked.from, forKey: line.number)
            isMixed[index] = true
        } else if before == 0 {
            // A purchase before the subscription's first period may name another.
            isMixed[index] = facts.subscriptions[index].namedAccount != account
        } else if namings[Int(before) - 1].account != account {
            isMixed[index] = true
        }
    }

    mutating func finish(_ facts: Facts, _ report: inout Report) {
        for index in isMixed.indices where isMixed[index] { judge(index, facts, &report) }
    }

    /// Judges the accounts named for a subscription.
    private func judge(_ index: Int, _ facts: Facts, _ report: inout Report) {
        var all: [Naming] = []
        var next = latest[index]
        while next != 0 {
            all.append(namings[Int(next) - 1])
            next = all[all.count - 1].previous
        }
        all.reverse()
        let original = facts.subscriptions[index].original
        var owner = firstOwner(index, all, facts)
        var owners = Set([owner?.account].compactMap { $0 })
        for naming in all {
            if let from = links[naming.line] {
                owners.insert(naming.account)
                if let from { owners.insert(from) }
                owner = naming
            } else if let owner, !owners.contains(naming.account) {
                find(naming, owner, original, facts, &report)
            }
        }
    }

    /// The owner before the first link: the account of the least version, unless only statements
    /// after the link name it.
    private func firstOwner(_ index: Int, _ all: [Naming], _ facts: Facts) -> Naming? {
        let linked = all.firstIndex { links[$0.line] != nil } ?? all.count
        guard let named = facts.subscriptions[index].namedAccount else {
            return all[..<linked].first
        }
        if let own = all[..<linked].first(where: { $0.account == named }) { return own }
        if all[linked...].contains(where: { $0.account == named && links[$0.line] == nil }) {
            return all[..<linked].first
        }
        return Naming(account: named, line: facts[facts.subscriptions[index].original].statedLine)
    }

    /// Checks the subscription that a statement gives for a transaction.
    private mutating func join(
        _ transaction: TransactionID<Interned>, _ original: TransactionID<Interned>,
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let known = memberships[transaction.index]
        let statedHandle = original.name.rawValue &+ 1
        if known.original == statedHandle { return }
        guard known.original != 0 else {
            memberships[transaction.index] = Membership(original: statedHandle, line: line.number)
            return
        }
        report.test()
        if let reason = facts.environmentMayBeMissing(event) { return report.cannotTell(reason) }
        let first = TransactionID<Interned>(index: Int(known.original) - 1)
        let (text, expected) = (facts.text(transaction), facts.text(first))
        report.find(
            event, on: line, facts,
            level: facts.levelOfReuse(event),
            account: facts.owner(of: transaction), key: text,
            "a statement puts transaction \(text) in line \(facts.text(original)): expected line "
                + "\(expected), as before",
            notes: [
                Finding.Note(
                    line: known.line, message: "let transaction \(text) be of line \(expected)")
            ],
            hint: "an expiry, a refund or a link of one line misses what the account holds on the "
                + "other: look at where the recorder takes the original from")
    }

    private func find(
        _ naming: Naming, _ owner: Naming, _ original: TransactionID<Interned>, _ facts: Facts,
        _ report: inout Report
    ) {
        // The subscription may have been moved before.
        if let reason = facts.incompleteReason(before: naming.line) {
            return report.cannotTell("that a line was linked may be missing: \(reason)")
        }
        report.find(
            at: naming.line, facts, account: owner.account, key: facts.text(original),
            "a statement gives line \(facts.text(original)) to \(facts.describe(naming.account)): "
                + "expected \(facts.describe(owner.account)), or an account.linked before",
            notes: DeliveryPhrases.note(
                owner.line,
                "let line \(facts.text(original)) belong to \(facts.describe(owner.account))"),
            hint: "one of them may lose what they paid for: look at which user was signed in when "
                + "this was recorded")
    }
}

extension Facts {
    /// The index in ``subscriptions`` of the subscription that a fact is about.
    func subscriptionIndex(of fact: Fact<Interned>) -> Int? {
        let key = fact.original ?? fact.transaction.map { original(of: $0) }
        return key.flatMap { subscriptionIndex(of: $0) }
    }
}
