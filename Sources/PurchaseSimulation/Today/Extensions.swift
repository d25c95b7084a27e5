import PurchaseEvents

/// Extensions of a period at no cost, which the log hears of as such or only from the new end.
extension Simulation {
    /// The store lengthens the current period.
    func extend(_ line: SimulatedLine, _ account: SimulatedAccount) {
        line.expiry += wait(3, 14) * Timestamp.day
        let end = Timestamp(milliseconds: line.expiry)
        if isToday { lengthen(line, from: line.current.expiresAt, to: end, account) }
        if isToday, choices.happens(oncePer: 4) {
            // The statement itself is lost.
            record(.receiptListed(receiptRow(line.current, account)), of: account, signedAt: now)
        } else {
            stateAtOnce(
                .renewalExtended(
                    RenewalExtended(
                        original: line.original, transaction: line.current.transaction,
                        expiresAt: end)), account)
        }
        line.version += 1
        agenda.plan(.due(account, line, line.version), at: line.expiry + wait(2_000, 6_000))
    }

    /// What the store states about the period from now on has the new end.
    private func lengthen(
        _ line: SimulatedLine, from before: Int64?, to end: Timestamp,
        _ account: SimulatedAccount
    ) {
        line.current.expiresAt = end.milliseconds
        if let before { line.current.commitment?.shift(by: end.milliseconds - before) }
        line.current.terms = line.current.commitment?.terms ?? line.current.terms
        changeRow(of: line.current, account) { $0.expiresAt = end }
    }
}
