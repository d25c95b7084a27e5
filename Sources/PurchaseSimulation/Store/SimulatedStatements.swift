import PurchaseEvents

/// A statement of the App Store, and how the log learns of it.
final class StoreStatement {
    let fact: Fact<Written>
    var signedAt: Int64?
    /// The notification to send again, if this is a repetition.
    var repeated: NotificationID<Written>?

    init(_ fact: Fact<Written>) { self.fact = fact }
}

extension Simulation {
    /// Issues a statement of the App Store that may reach the log late or never.
    func state(_ fact: Fact<Written>, _ account: SimulatedAccount) {
        switch account.statements {
        case .plain: record(fact, of: account, as: accountNamed(in: fact, account))
        case .secret:
            if rarely(40) { return }
            notify(StoreStatement(fact), account)
        case .signed:
            if rarely(40) { return }
            let statement = StoreStatement(fact)
            if rarely(40) {
                statement.signedAt = now
                let delay = wait(Timestamp.minute, Timestamp.day * 2)
                agenda.plan(.statement(account, statement), at: now + delay)
            } else {
                notify(statement, account)
            }
        }
    }

    /// Issues a statement of the App Store that reaches the log at once.
    @discardableResult
    func stateAtOnce(_ fact: Fact<Written>, _ account: SimulatedAccount) -> Int64 {
        switch account.statements {
        case .plain: return record(fact, of: account, as: accountNamed(in: fact, account))
        case .secret, .signed: return notify(StoreStatement(fact), account)
        }
    }

    func arrive(_ statement: StoreStatement, _ account: SimulatedAccount) {
        if statement.repeated != nil || statement.signedAt != nil {
            notify(statement, account)
        } else {
            state(statement.fact, account)
        }
    }

    /// Records a notification and, the first time, the fact that it states.
    @discardableResult
    private func notify(_ statement: StoreStatement, _ account: SimulatedAccount) -> Int64 {
        let isSigned = account.statements == .signed
        let notification = statement.repeated ?? NotificationID(names.uuid())
        let signedAt = isSigned ? statement.signedAt ?? now : nil
        let notificationNames = NotificationNames(statement.fact)
        let name = accountNamed(in: statement.fact, account)
        let isWrong = !isSigned && statement.repeated == nil && fails(.believesWrongSecret)
        record(
            .notificationReceived(
                .init(
                    notification: notification,
                    name: isSigned ? notificationNames.name : notificationNames.nameInVersion1,
                    subtype: isSigned ? notificationNames.subtype : nil, version: isSigned ? 2 : 1,
                    secret: isSigned ? nil : isWrong ? .wrong : .right,
                    signature: isSigned ? .valid : nil)), of: account, as: name, signedAt: signedAt)
        guard statement.repeated == nil else { return seq }
        let usual = notification.name + "#1"
        let isReused = lastID != nil && fails(.reusesIdentifier)
        let factSeq = record(
            statement.fact, of: account, as: name, id: isReused ? lastID : usual,
            source: notification, signedAt: signedAt)
        if isReused { plant(.reusesIdentifier, at: factSeq, account, as: name, key: lastID) }
        if isWrong {
            plant(.believesWrongSecret, at: factSeq, account, as: name, key: notification.name)
        }
        if !isReused { lastID = usual }
        if rarely(40) {
            let again = StoreStatement(statement.fact)
            again.signedAt = signedAt
            again.repeated = notification
            agenda.plan(
                .statement(account, again), at: now + wait(Timestamp.minute, Timestamp.hour * 3))
        }
        return factSeq
    }
}

/// The names of a fact's notification in version 2 and version 1 (G7.3).
struct NotificationNames {
    let name: String
    let subtype: String?
    let nameInVersion1: String

    init(_ fact: Fact<Written>) {
        let status = "DID_CHANGE_RENEWAL_STATUS"
        let (name, subtype, nameInVersion1): (String, String?, String?) =
            switch fact.type {
            case .renewalStarted: ("SUBSCRIBED", nil, "INITIAL_BUY")
            case .renewalRenewed: ("DID_RENEW", nil, "RENEWAL")
            case .renewalFailed: ("DID_FAIL_TO_RENEW", nil, nil)
            case .renewalGraceExpired: ("GRACE_PERIOD_EXPIRED", nil, "DID_FAIL_TO_RENEW")
            case .renewalExpired: ("EXPIRED", nil, "CANCEL")
            case .renewalTurnedOff: (status, "AUTO_RENEW_DISABLED", nil)
            case .renewalTurnedOn: (status, "AUTO_RENEW_ENABLED", nil)
            case .renewalPlanChanged: ("DID_CHANGE_RENEWAL_PREF", nil, nil)
            case .renewalPriceIncreased: ("PRICE_INCREASE", nil, "PRICE_INCREASE_CONSENT")
            case .renewalExtended: ("RENEWAL_EXTENDED", nil, nil)
            case .cancellationRefunded: ("REFUND", nil, nil)
            case .cancellationRevoked: ("REVOKE", nil, nil)
            case .cancellationReversed: ("REFUND_REVERSED", nil, nil)
            case .cancellationDeclined: ("REFUND_DECLINED", nil, nil)
            case .cancellationRequested: ("CONSUMPTION_REQUEST", nil, nil)
            default: ("TEST", nil, nil)
            }
        (self.name, self.subtype) = (name, subtype)
        self.nameInVersion1 = nameInVersion1 ?? name
    }
}
