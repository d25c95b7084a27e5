import PurchaseEvents

/// A subscription line belongs to one account until it is linked to another, and a transaction to
/// one line (G3.4, I7).
///
/// Statements about a line name the line's first account, or the account that `account.linked`
/// moved it to. After a move they may keep naming an earlier account, because renewals carry the
/// first token forever.
struct LineHasOneOwner: CatalogueRule {
    static let id = "line-has-one-owner"
    static let level = Level.warning
    static let statement = """
        The statements about a subscription line name one account, until account.linked moves the \
        line to another; those about a transaction of it name one line.
        """
    static let evidence = ["G3.4", "I7"]
    static let reads = EventTypes(
        .queuePurchased, .receiptListed, .renewalStarted, .renewalRenewed, .renewalFailed,
        .renewalGraceExpired, .renewalExpired, .renewalTurnedOff, .renewalTurnedOn,
        .renewalPlanChanged, .renewalPriceIncreased, .renewalExtended, .cancellationRefunded,
        .cancellationRevoked, .accountLinked)

    private struct Owner {
        var account: AccountID<Interned>
        var line: LineNumber
    }

    /// The original that a transaction's first statement names, plus 1, and its line.
    private struct Membership {
        var original: UInt32 = 0
        var line: LineNumber = 0
    }

    private var memberships = DenseTable(Membership())
    /// The current owners by line index.
    private var owners = DenseTable<Owner?>(nil)
    /// The accounts that linked lines belonged to before.
    private var earlier: [Int: Set<AccountID<Interned>>] = [:]

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if let transaction = event.transaction, let original = event.fact.original,
            facts.lineIndex(of: facts.original(of: transaction)) != nil
        {
            join(transaction, original, event, on: line, facts, &report)
        }
        guard let account = event.account, let index = facts.lineIndex(of: event.fact) else {
            return
        }
        if event.type == .accountLinked, case .accountLinked(let linked) = event.fact,
            let from = linked.from, from != account,
            owners[index].map({ $0.account == account }) ?? true
        {
            // The link names an earlier owner that no statement named.
            earlier[index, default: []].insert(from)
        }
        guard let owner = owners[index] else {
            report.test()
            owners[index] = Owner(account: account, line: line.number)
            return
        }
        guard owner.account != account else { return }
        if event.type == .accountLinked {
            earlier[index, default: []].insert(owner.account)
            owners[index] = Owner(account: account, line: line.number)
        } else if earlier[index]?.contains(account) != true {
            find(event, on: line, owner, facts.lines[index].original, facts, &report)
        }
    }

    /// Checks the line that a statement gives for a transaction.
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
        _ event: Event<Interned>, on line: Line, _ owner: Owner,
        _ original: TransactionID<Interned>, _ facts: Facts, _ report: inout Report
    ) {
        // The line may have been moved before its first statement in the log.
        if let reason = facts.incompleteReason {
            return report.cannotTell("that a line was linked may be missing: \(reason)")
        }
        let note = Finding.Note(
            line: owner.line,
            message: "let line \(facts.text(original)) belong to \(facts.describe(owner.account))")
        report.find(
            event, on: line, facts, account: owner.account, key: facts.text(original),
            "a statement gives line \(facts.text(original)) to \(facts.describe(event.account)): "
                + "expected \(facts.describe(owner.account)), or an account.linked before",
            notes: [note],
            hint: "one of them may lose what they paid for: look at which user was signed in when "
                + "this was recorded")
    }
}

extension Facts {
    /// The index in ``lines`` of the subscription line that a fact is about.
    func lineIndex(of fact: Fact<Interned>) -> Int? {
        if let original = fact.original { return lineIndex(of: original) }
        let member = fact.transaction.map { self[$0].periodOfLine } ?? 0
        return member == 0 ? nil : Int(member) - 1
    }
}
