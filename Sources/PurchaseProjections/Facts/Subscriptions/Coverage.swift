import PurchaseEvents

/// Whether attested facts allowed a use.
///
/// Counts all attested periods, even those stated later, but only the refunds known at the line of
/// the use.
struct Coverage {
    /// Whether an access without a known refund allowed the use.
    var isCovered: Bool { covering != nil }
    /// One of the transactions that allowed the use.
    var covering: TransactionID<Interned>?
    /// Transactions that would have allowed the use, had they not been refunded or revoked.
    var refunded: [TransactionID<Interned>] = []
    /// Why the log leaves the answer unclear; `nil` if it does not.
    var unclear: String?
    /// The access that ended last before the use.
    var lastEnded: Access?

    /// Adds an access that belongs to the user.
    mutating func add(_ access: Access, _ use: Use, _ facts: Facts) {
        if facts.isInvalid(access.transaction, at: use.line) { return }
        guard let isAllowed = facts.allows(access, use) else {
            unclear =
                "no fact says which group transaction "
                + "\(facts.text(access.transaction)) belongs to"
            return
        }
        if isAllowed {
            if facts.isRefunded(access.transaction, at: use.line, use.at) {
                refunded.append(access.transaction)
            } else {
                covering = access.transaction
            }
            return
        }
        if case .product(let product) = use.target, product != access.product { return }
        var access = access
        access.end = access.until ?? access.end
        if access.end <= use.at, lastEnded.map({ $0.end < access.end }) ?? true {
            lastEnded = access
        }
    }
}

extension Facts {
    /// Whether a period or purchase of the use's account clearly allows the use.
    ///
    /// Allocates no memory; `false` if the answer takes more work or the use names no account.
    func isPlainlyCovered(_ use: Use) -> Bool {
        guard let account = use.account else { return false }
        let key = IndexLists.key(account)
        return linesByAccount.contains(under: key) { index in
            let line = lines[Int(index)]
            return isHeld(line, by: account, at: use.line) && isPlainlyCovered(use, by: line)
        }
            || purchasesByAccount.contains(under: key) { index in
                let transaction = TransactionID<Interned>(index: Int(index))
                guard isHeld(transaction, by: account, at: use.line),
                    mayGrant(transaction, in: use.environment),
                    case .certain(let access) = access(of: transaction)
                else { return false }
                return allows(access, use) == true
                    && !isRefunded(transaction, at: use.line, use.at)
                    && !isInvalid(transaction, at: use.line)
            }
    }

    private func isPlainlyCovered(_ use: Use, by line: LineFacts) -> Bool {
        var next = line.firstTransaction
        while let transaction = next {
            next = self[transaction].nextInLine
            guard let span = span(of: transaction), !self[transaction].isUpgraded,
                isAttested(transaction, in: use.environment),
                allows(access(span, endsInGrace: false), use) == true,
                !isRefunded(transaction, at: use.line, use.at),
                !isInvalid(transaction, at: use.line)
            else { continue }
            return true
        }
        return false
    }

    /// The access that a period gives.
    private func access(_ span: Period, endsInGrace: Bool) -> Access {
        Access(
            transaction: span.transaction, product: span.product, group: group(of: span),
            start: span.start, end: span.accessEnd, until: nil, isPeriod: true,
            endsInGrace: endsInGrace)
    }

    /// The access that a line's periods give, ignoring refunds.
    ///
    /// An early end of a grace period counts only if the log knew of it by the given line: an
    /// account is not blamed for a statement that arrived late.
    func accesses(
        of line: LineFacts, in environment: Environment, knownBy known: LineNumber = .max
    ) -> [Access] {
        spans(of: line, in: environment, heedingRefunds: false, knownBy: known).map {
            access($0, endsInGrace: $0.ended == nil && $0.accessEnd > $0.end)
        }
    }

    /// Whether the periods and purchases of the use's account allow the use.
    ///
    /// Ignores purchases without a known owner; ``CoverageIndex`` includes these purchases. Cost:
    /// linear in the account's lines and purchases.
    ///
    /// - Parameter endedAccesses: accesses that had ended as far as the log knew at the use,
    ///   although the app extended them later.
    func coverage(of use: Use, endedAccesses: [Access] = []) -> Coverage {
        var coverage = Coverage()
        for line in lines(of: use.account, at: use.line) {
            for access in accesses(of: line, in: use.environment, knownBy: use.line) {
                coverage.add(access, use, self)
            }
        }
        for purchase in purchases(of: use.account, at: use.line)
        where mayGrant(purchase, in: use.environment) {
            if let access = endedAccesses.first(where: { $0.transaction == purchase }) {
                coverage.add(access, use, self)
                continue
            }
            switch access(of: purchase) {
            case .none: break
            case .certain(let access): coverage.add(access, use, self)
            case .unclear(let access, let reason):
                if allows(access, use) ?? true, !isRefunded(purchase, at: use.line, use.at),
                    !isInvalid(purchase, at: use.line)
                {
                    coverage.unclear = reason
                }
            }
        }
        return coverage
    }
}
