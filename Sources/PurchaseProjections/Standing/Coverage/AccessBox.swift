import PurchaseEvents

/// An access, and the uses that it answers for: those within a range of lines and of instants.
///
/// What the log knew of refunds, validations, links and early ends changes from line to line, so
/// one access may take several boxes.
struct AccessBox {
    enum Standing {
        /// Nothing had voided the access.
        case granting
        /// A refund or revocation had voided the access.
        case refunded
        /// The log leaves the access unclear.
        case unclear
    }

    var access: Access
    var standing: Standing
    var lines: Range<LineNumber>
    var instants = AccessBox.allInstants
    /// The instants of every use.
    private static let allInstants = Timestamp(milliseconds: .min)..<Access.noEnd
    /// Whether the log says what the purchase gives; otherwise the access may be none.
    var isCertain = true
    /// Whether the access ends when the app had said that it ends.
    var isAppsEnd = false
    /// Whether the access was held only at instants before a link to another account, on lines
    /// after it.
    var isLinkedAway = false

    /// The access with its end, also where the app set it.
    var ended: Access {
        var ended = access
        ended.end = access.until ?? access.end
        return ended
    }

    /// Whether the access ends without a refund when the app had said so.
    var lapses: Bool { isAppsEnd && standing == .granting && instants.upperBound == Access.noEnd }

    /// Why the log leaves the access unclear.
    func reason(_ facts: Facts) -> String {
        let text = facts.text(access.transaction)
        guard !isCertain else { return "no fact says which group transaction \(text) belongs to" }
        return facts.kind(of: access.transaction) == nil
            ? "no fact says which kind of product transaction \(text) bought"
            : "no statement says when the period of transaction \(text) ends"
    }
}

/// Collects the accesses of a scope.
struct AccessCollector {
    private let facts: Facts
    private let scope: AccessScope
    /// The app's deliveries, if they set ends and owners.
    private let grants: GrantHistory?
    private let onlyAttested: Bool
    private(set) var boxes: [AccessBox] = []
    /// The instant before which the uses lie that the next boxes answer for.
    private var heldUntil = Access.noEnd

    init(_ facts: Facts, _ scope: AccessScope, _ grants: GrantHistory?, onlyAttested: Bool) {
        (self.facts, self.scope) = (facts, scope)
        (self.grants, self.onlyAttested) = (grants, onlyAttested)
    }

    private static let allLines: Range<LineNumber> = 0..<LineNumber.max

    /// Collects the periods first, then the purchases, of each the latest first.
    mutating func collect() {
        switch scope.owner {
        case .account(let account):
            let key = IndexLists.key(account)
            let given = grants?.given(to: account, facts) ?? []
            for index in facts.subscriptionsByAccount.values(under: key) {
                let subscription = facts.subscriptions[Int(index)]
                let isOwner = facts.owner(of: subscription) == account
                collect(while: isOwner ? nil : subscription) { $0.collect(subscription, $1) }
            }
            for index in facts.purchasesByAccount.values(under: key) {
                let purchase = TransactionHandle(index: Int(index))
                let original = facts.original(of: facts.original(of: purchase))
                let linked = facts.subscriptionIndex(of: original).map { facts.subscriptions[$0] }
                let isOwner = facts.owner(of: purchase) == account
                if isOwner || linked != nil {
                    collect(while: isOwner ? nil : linked) { $0.collect(purchase, $1) }
                }
            }
            var seen: Set<TransactionHandle> = []
            for transaction in given {
                let isOfSubscription = facts[transaction].periodOfSubscription != 0
                if seen.insert(isOfSubscription ? facts.original(of: transaction) : transaction)
                    .inserted
                {
                    collect(holding: transaction)
                }
            }
        case .anyone, .unknown:
            for subscription in facts.subscriptions where isInScope(facts.owner(of: subscription)) {
                collect(subscription, AccessCollector.allLines)
            }
            for purchase in facts.knownTransactions
            where facts[purchase].listKey != 0 && isInScope(facts.owner(of: purchase)) {
                collect(purchase, AccessCollector.allLines)
            }
        case .holder(let transaction): collect(holding: transaction)
        }
    }

    /// Collects what an account holds: until the subscription was linked to another account, by the
    /// line of the link and by its `at`; `nil` means always.
    private mutating func collect(
        while linked: SubscriptionFacts?,
        _ body: (inout AccessCollector, Range<LineNumber>) -> Void
    ) {
        guard let linked else { return body(&self, AccessCollector.allLines) }
        body(&self, 0..<linked.linkedLine)
        // A line recorded before the link may come after it, where a log is of several devices.
        heldUntil = linked.linkedAt
        if linked.linkedLine > 0 { body(&self, linked.linkedLine..<LineNumber.max) }
        heldUntil = Access.noEnd
    }

    private func isInScope(_ owner: AccountHandle?) -> Bool {
        scope.owner == .anyone || owner == nil
    }

    /// Collects the periods of a transaction's subscription, or the transaction if it is of no
    /// subscription.
    private mutating func collect(holding transaction: TransactionHandle) {
        if let subscription = facts.subscription(of: transaction),
            subscription.firstTransaction != nil
        {
            collect(subscription, AccessCollector.allLines)
        } else {
            collect(transaction, AccessCollector.allLines)
        }
    }

    /// Collects the periods of a subscription, ignoring refunds.
    ///
    /// An early end of a grace period counts only from the line at which the log knew of it, so
    /// that an account is not blamed for a statement that arrived late. For the uses of anyone it
    /// doesn't count.
    private mutating func collect(_ subscription: SubscriptionFacts, _ held: Range<LineNumber>) {
        guard !held.isEmpty else { return }
        var early: Facts.EarlyEndsByPeriod? = [:]
        let spans = facts.spans(
            of: subscription, in: scope.environment, heedingRefunds: false, &early)
        // A period that ends before it starts is none (event-log.md, 4).
        for span in spans where span.start < span.end {
            let inGrace = span.ended == nil && span.accessEnd > span.end
            var access = facts.access(span, endsInGrace: inGrace)
            var upper = held.upperBound
            for end in early?[span.transaction] ?? [] where isOwned && end.line < upper {
                access.end = end.end
                access.endsInGrace = inGrace && end.end > span.end
                add(access, max(end.line, held.lowerBound)..<upper)
                upper = max(end.line, held.lowerBound)
            }
            access.end = span.accessEnd
            access.endsInGrace = inGrace
            add(access, held.lowerBound..<upper)
        }
    }

    private var isOwned: Bool {
        switch scope.owner {
        case .account, .holder: true
        case .anyone, .unknown: false
        }
    }

    /// Collects what a purchase outside a subscription period gives.
    private mutating func collect(_ purchase: TransactionHandle, _ held: Range<LineNumber>) {
        guard facts[purchase].periodOfSubscription == 0, !held.isEmpty,
            facts.mayGrant(purchase, in: scope.environment)
        else { return }
        switch facts.access(of: purchase) {
        case .none: break
        case .unclear(let access): add(access, held, isCertain: false)
        case .certain(let access):
            var from = held.lowerBound
            for known in grants?.knownEnds(of: purchase, facts) ?? []
            where known.lines.overlaps(held) {
                let lines = known.lines.clamped(to: held)
                if from < lines.lowerBound { add(access, from..<lines.lowerBound) }
                var ended = access
                // What has not begun is not over, whatever end the app set.
                let end = max(access.start, known.until)
                (ended.end, ended.until) = (end, end)
                add(ended, lines, isAppsEnd: true)
                from = lines.upperBound
            }
            if from < held.upperBound { add(access, from..<held.upperBound) }
        }
    }

    /// Adds the boxes of an access: one or two for each range of lines within which the log knew of
    /// the same refund.
    private mutating func add(
        _ access: Access, _ held: Range<LineNumber>, isCertain: Bool = true, isAppsEnd: Bool = false
    ) {
        let transaction = access.transaction
        var lines = held
        if onlyAttested { lines = lines.clamped(to: stated(transaction)..<LineNumber.max) }
        if facts[transaction].validation == .invalid {
            lines = lines.clamped(to: 0..<facts[transaction].invalidLine)
        }
        guard !lines.isEmpty else { return }
        var box = AccessBox(
            access: access, standing: .granting, lines: lines,
            instants: Timestamp(milliseconds: .min)..<heldUntil, isCertain: isCertain,
            isAppsEnd: isAppsEnd, isLinkedAway: heldUntil != Access.noEnd)
        // Most are never refunded.
        let changes = facts.refundLines(of: transaction)
        guard !changes.isEmpty else {
            if access.start < Access.noEnd { boxes.append(box) }
            return
        }
        let starts =
            [lines.lowerBound] + changes.filter { lines.lowerBound < $0 && lines.contains($0) }
        for (place, start) in starts.enumerated() {
            box.lines = start..<(place + 1 < starts.count ? starts[place + 1] : lines.upperBound)
            let date = facts.refundDate(of: transaction, at: start) ?? Access.noEnd
            box.standing = .granting
            box.instants = Timestamp(milliseconds: .min)..<min(date, heldUntil)
            if access.start < date { boxes.append(box) }
            box.standing = .refunded
            box.instants = min(date, heldUntil)..<heldUntil
            if !box.instants.isEmpty { boxes.append(box) }
        }
    }

    /// The first line that attests a transaction.
    private func stated(_ transaction: TransactionHandle) -> LineNumber {
        let attested = facts.attestedLine(of: transaction)
        return attested == 0 ? facts[transaction].statedLine : attested
    }
}
