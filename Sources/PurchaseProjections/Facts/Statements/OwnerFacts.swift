import PurchaseEvents

extension Facts {
    /// Records only the account that a statement names; ignores other events.
    ///
    /// A subscription's account is the one that its facts name first, at every instant, also where
    /// the statement is of a later one (event-log.md, 4).
    mutating func observeOwner(_ event: LogEvent, on line: Line) {
        guard let account = event.account, let date = Facts.ownDate(of: event) else { return }
        makeUnique()
        let environment = environment(of: event)
        let version = versions.add(event, time: event.signedAt ?? date, in: environment, on: line)
        if let transaction = event.transaction {
            transactions[transaction.index].assignEarliest(account: account, version, &versions)
        }
        let original = event.fact.original ?? event.transaction.map { self.original(of: $0) }
        if event.type == .queueRestored {
            // What a restore names counts where another statement attests the transaction.
            if let transaction = event.transaction, self[transaction].attestsPeriod {
                nameOwner(by: transaction)
            }
        } else if let original,
            event.fact.original != nil || subscriptionIndex(of: original) != nil
        {
            let index = subscriptionIndex(of: original, line.number)
            subscriptions[index].change(in: environment) {
                $0.account.assignEarliest(account, version, &versions)
            }
        }
        versions.discard(version)
    }

    /// The date of a statement of the App Store that isn't signed; `nil` for any other event.
    private static func ownDate(of event: LogEvent) -> Timestamp? {
        switch event.fact {
        case .queuePurchased(let payload): payload.purchasedAt
        case .queueRestored(let payload): payload.purchasedAt
        case .receiptListed(let payload): payload.cancelledAt ?? payload.purchasedAt
        case .renewalStarted(let payload): payload.purchasedAt
        case .renewalRenewed(let payload): payload.purchasedAt
        case .cancellationRefunded(let payload): payload.cancelledAt
        case .cancellationRevoked(let payload): payload.cancelledAt
        case .cancellationReversed, .renewalFailed, .renewalGraceExpired, .renewalExpired,
            .renewalTurnedOff, .renewalTurnedOn, .renewalPlanChanged, .renewalPriceIncreased,
            .renewalExtended:
            event.at
        case _: nil
        }
    }
}
