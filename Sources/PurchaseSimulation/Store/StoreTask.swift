import PurchaseEvents

/// A task that is planned for a time: something that the store, an account's app or the user does.
enum StoreTask {
    /// A new account starts.
    case joining
    /// A new issue of the magazine is published.
    case issue
    /// The app of an account performs its next steps.
    case app(SimulatedAccount)
    /// The period of a subscription ends; the number is the subscription's version.
    case due(SimulatedAccount, SimulatedSubscription, Int)
    /// An event within a subscription's period.
    case event(SimulatedAccount, SimulatedSubscription, Int, SubscriptionEvent)
    /// A deferred purchase is approved or declined.
    case approval(SimulatedAccount, SimulatedPurchase, Bool)
    case refund(SimulatedAccount, SimulatedPurchase, RefundScenario)
    /// Family sharing ends.
    case unsharing(SimulatedAccount, SimulatedPurchase)
    /// The App Store issues a statement.
    case statement(SimulatedAccount, StoreStatement)
}

/// An event within a subscription's period.
enum SubscriptionEvent: Int64 {
    case turnedOff, turnedOffAndOn, turnedOn, planChanged, priceIncreased, priceAgreed
    case extended, refunded, graceExpired, renewedAhead
}

/// A step in the course of a refund.
enum RefundScenario: Int64 { case whole, partial, requested, declined, toBeReversed, reversed }

extension Simulation {
    func perform(_ task: StoreTask) {
        switch task {
        case .joining: join()
        case .issue: publishIssue()
        case .app(let account): advance(account)
        case .due(let account, let subscription, let version):
            if subscription.version == version { periodEnds(subscription, account) }
        case .event(let account, let subscription, let version, let event):
            if subscription.version == version { apply(event, subscription, account) }
        case .approval(let account, let purchase, let isApproved):
            approve(purchase, account, isApproved)
        case .refund(let account, let purchase, let scenario): refund(purchase, account, scenario)
        case .unsharing(let account, let purchase): endSharing(purchase, account)
        case .statement(let account, let statement): arrive(statement, account)
        }
    }

    /// Creates an account and plans the next one.
    private func join() {
        accountCount += 1
        let isAdverse = options.mix == .adverse
        // The sandbox speaks to a URL of its own.
        let isTester = !options.isToldToServers && rarely(100, or: 3, for: .deliversTestPurchase)
        let currencies = [Currency(code: "USD"), Currency(code: "EUR"), Currency(code: "GBP")]
        let hasPersonalName = fails(.namesAccountPlainly)
        let secrets: Int64 = favors(.believesWrongSecret) ? 12 : 1
        let statements: [Int64] = isAdverse ? [1, 1, 1] : [1, secrets, 6]
        let account = SimulatedAccount(
            name: hasPersonalName ? "jane.doe.\(accountCount)@example.com" : names.uuid(),
            number: accountCount, environment: isTester ? .sandbox : nil,
            currency: choices.pick(currencies),
            statements: options.isToldToServers
                ? .plain
                : SimulatedAccount.Statements(
                    rawValue: Int64(choices.index(weightedBy: statements))) ?? .plain,
            payer: choices.happens(oncePer: 4) ? PayerID("store-account-\(accountCount)") : nil)
        if rarely(16, or: 2, for: .receiptChanges, .validatesInOneEnvironment) { account.rows = [] }
        account.hasPersonalName = hasPersonalName
        if isToday { addDevices(to: account) }
        agenda.plan(.app(account), at: now)
        if accountCount < options.accounts {
            let mean = options.length / Int64(clamping: options.accounts) / 2
            // Later is simpler: an account that joins after the end of the log isn't in it.
            let latest = isAdverse ? mean * 8 : mean * 2
            agenda.plan(.joining, at: now + 1_000 + latest - choices.choose(below: latest + 1))
        }
    }

    // MARK: Issues

    /// Plans the issue for the first day of the next month.
    func planIssue(after instant: Int64) {
        let today = CalendarDay(daysSince1970: instant / Timestamp.day)
        let month = today.month % 12 + 1
        let first = CalendarDay(
            year: today.month == 12 ? today.year + 1 : today.year, month: month, day: 1)
        guard let first else { return }
        agenda.plan(.issue, at: first.daysSince1970 * Timestamp.day)
    }

    private func publishIssue() {
        let today = CalendarDay(daysSince1970: now / Timestamp.day)
        let month = today.month < 10 ? "0\(today.month)" : "\(today.month)"
        let content = ContentID<Written>("issue-\(today.year)-\(month)")
        record(.contentPublished(.init(content: content, group: "magazine", publishedAt: now.time)))
        issues.append((content, now))
        if issues.count > 24 { issues.removeFirst() }
        planIssue(after: now)
    }
}
