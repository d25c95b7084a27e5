import PurchaseEvents

/// A subscription belongs to one account until it is linked to another, and a transaction to
/// one subscription (G3.4, I7).
///
/// Statements about a subscription, with or without an end, name the subscription's first account,
/// that of the least version whatever arrived first, or the account that `account.linked` moved it
/// to. After a move they may keep naming an earlier account, because renewals carry the first token
/// forever. If the statement signed first comes after a link, the account that the log named first
/// before the link counts. Judged at the end of the log, because a later line may say that there is
/// a subscription, or which; costs twelve bytes for each statement that names an account.
struct LineHasOneOwner: CatalogueRule {
    static let level = Level.warning
    static let statement = """
        The statements about a subscription line name one account, that of the statement signed \
        first, until account.linked moves the line to another; those about a transaction of it \
        name one line. A transaction that names two is of the one named last, and what it said of \
        the other still counts there.
        """
    static let evidence = ["G3.4", "I7"]
    static let reads = EventTypes(
        .queuePurchased, .receiptListed, .renewalStarted, .renewalRenewed, .renewalFailed,
        .renewalGraceExpired, .renewalExpired, .renewalTurnedOff, .renewalTurnedOn,
        .renewalPlanChanged, .renewalPriceIncreased, .renewalExtended, .cancellationRefunded,
        .cancellationRevoked, .cancellationReversed, .accountLinked)

    /// A statement that names an account, or a link.
    private struct Naming: Sendable {
        var account = AccountHandle(index: 0)
        var line: LineNumber = 0
        /// Twice the handle of the original that the statement names, otherwise of its transaction,
        /// plus 1.
        var subject: UInt32 = 0

        init() {}

        init(_ account: AccountHandle, _ line: LineNumber, _ fact: Fact<Interned>) {
            (self.account, self.line) = (account, line)
            if let original = fact.original {
                subject = UInt32(original.index) << 1
            } else if let transaction = fact.transaction {
                subject = UInt32(transaction.index) << 1 | 1
            }
        }

        /// The original of the subscription that the statement is about, as the facts know it now.
        func original(_ facts: Facts) -> TransactionHandle {
            let named = TransactionHandle(index: Int(subject >> 1))
            return subject & 1 == 0 ? named : facts.original(of: named)
        }
    }

    /// The original that a transaction's first statement names, plus 1, and its line.
    private struct Membership {
        var original: UInt32 = 0
        var line: LineNumber = 0
    }

    /// A statement that puts a transaction into another line than the first one did.
    private struct OtherLine: Sendable {
        var transaction = TransactionHandle(index: 0)
        var original = TransactionHandle(index: 0)
        var first = Membership()
        var line: LineNumber = 0
        /// Whether the statement's environment is unknown, and whether the finding is a note.
        var isUnclear = false, isNote = false
    }

    private var memberships = DenseTable(Membership())
    private var others: [OtherLine] = []
    private var namings = DenseTable(Naming())
    /// The accounts that links move subscriptions from, by the line of the link.
    private var links: [LineNumber: AccountHandle?] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&memberships).visit(&others).visit(&namings).visit(&links)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if let transaction = event.transaction, let original = event.fact.original {
            join(transaction, original, event, on: line, facts)
        }
        guard let account = event.account,
            event.fact.original != nil || event.transaction != nil
        else { return }
        namings.append(Naming(account, line.number, event.fact))
        if case .accountLinked(let linked) = event.fact {
            links.updateValue(linked.from, forKey: line.number)
        }
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for other in others {
            guard facts.subscriptionIndex(of: facts.original(of: other.transaction)) != nil else {
                continue
            }
            report.test()
            if other.isUnclear, let reason = facts.environmentMayBeMissing {
                report.cannotTell(reason)
            } else {
                find(other, facts, &report)
            }
        }
        judgeNamings(facts, &report)
    }

    /// Judges the subscriptions that several accounts are named for, or that were linked.
    private func judgeNamings(_ facts: Facts, _ report: inout Report) {
        // The latest naming of each subscription, and the one before each, as places plus 1.
        var (latest, previous) = (DenseTable<UInt32>(0), [UInt32]())
        var isMixed = DenseTable(false)
        previous.reserveCapacity(namings.count)
        for place in namings.indices {
            let naming = namings[place]
            let index = facts.subscriptionIndex(of: naming.original(facts))
            previous.append(index.map { latest[$0] } ?? 0)
            guard let index else { continue }
            if latest[index] == 0 { report.test() }
            latest[index] = UInt32(place + 1)
            if links[naming.line] != nil
                || facts.subscriptions[index].namedAccount != naming.account
            {
                isMixed[index] = true
            }
        }
        for index in isMixed.indices where isMixed[index] {
            var all: [Naming] = []
            var next = latest[index]
            while next != 0 {
                all.append(namings[Int(next) - 1])
                next = previous[Int(next) - 1]
            }
            judge(index, all.reversed(), facts, &report)
        }
    }

    private func judge(_ index: Int, _ all: [Naming], _ facts: Facts, _ report: inout Report) {
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
        var naming = Naming()
        naming.account = named
        naming.line = facts[facts.subscriptions[index].original].statedLine
        return naming
    }

    /// Checks the subscription that a statement gives for a transaction.
    private mutating func join(
        _ transaction: TransactionHandle, _ original: TransactionHandle,
        _ event: LogEvent, on line: Line, _ facts: Facts
    ) {
        let known = memberships[transaction.index]
        let statedHandle = original.name.rawValue &+ 1
        if known.original == statedHandle { return }
        guard known.original != 0 else {
            memberships[transaction.index] = Membership(original: statedHandle, line: line.number)
            return
        }
        others.append(
            OtherLine(
                transaction: transaction, original: original, first: known, line: line.number,
                isUnclear: facts.environmentMayBeMissing(event) != nil,
                isNote: facts.levelOfReuse(event) == .note))
    }

    private func find(_ other: OtherLine, _ facts: Facts, _ report: inout Report) {
        let transaction = other.transaction
        let first = TransactionHandle(index: Int(other.first.original) - 1)
        let (text, expected) = (facts.text(transaction), facts.text(first))
        report.find(
            at: other.line, facts, level: other.isNote ? .note : nil,
            account: facts.owner(of: transaction), key: text,
            "a statement puts transaction \(text) in line \(facts.text(other.original)): expected "
                + "line \(expected), as before",
            notes: Finding.note(other.first.line, "let transaction \(text) be of line \(expected)"),
            hint: "an expiry, a refund or a link of one line misses what the account holds on the "
                + "other: look at where the recorder takes the original from")
    }

    private func find(
        _ naming: Naming, _ owner: Naming, _ original: TransactionHandle, _ facts: Facts,
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
            notes: Finding.note(
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
