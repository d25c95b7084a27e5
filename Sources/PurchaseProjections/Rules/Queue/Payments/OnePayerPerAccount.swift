import PurchaseEvents

/// Few App Store accounts pay for one account of the app (G3.5).
///
/// A payer that has not paid within 30 days is a finding if two others have, all three within one
/// stretch of 30 days. The three latest payers of each account are compared.
struct OnePayerPerAccount: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "One account is paid for by at most two App Store accounts within any stretch of 30 days."
    static let evidence = ["G3.5"]
    static let reads = EventTypes(.paymentRequested)

    /// An account in one environment; environments never mix (G9.3).
    private struct Key: Hashable {
        var account: AccountHandle
        var environment: Environment
    }

    /// The payers of an account; a single payer, the common case, needs no list.
    private enum Known {
        case nobody
        case one(RecentPayers.Payer, Environment)
        case several
    }

    private var accounts = DenseTable(Known.nobody)
    /// The payers of accounts with several payers, or with payers in more than one environment.
    private var latest: [Key: RecentPayers] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&accounts).visit(&latest) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard case .paymentRequested(let request) = event.fact,
            let payer = request.payer,
            let account = event.account ?? facts[request.payment].account
        else { return }
        report.test()
        let environment = facts.environment(of: event)
        let current = RecentPayers.Payer(payer: payer, at: event.at, line: line.number)
        if isOnly(current, account, environment) { return }
        let key = Key(account: account, environment: environment)
        let others = latest[key, default: RecentPayers()].add(current)
        guard !others.isEmpty else { return }
        let name = facts.names.text(of: account)
        report.find(
            event, on: line, facts, account: account, key: facts.names.text(of: request.payment),
            "App Store account \(facts.names.text(of: payer)) pays for account \(name), after "
                + "\(others.count) others within 30 days: expected at most two in all",
            notes: others.flatMap {
                Finding.note(
                    $0.line, "let App Store account \(facts.names.text(of: $0.payer)) pay for it")
            },
            hint: "look at whether the account is sold or shared, or paid for with stolen cards")
    }

    /// Whether a payer is the only one that an account has had so far.
    private mutating func isOnly(
        _ payer: RecentPayers.Payer, _ account: AccountHandle, _ environment: Environment
    ) -> Bool {
        switch accounts[account.index] {
        case .nobody:
            accounts[account.index] = .one(payer, environment)
            return true
        case .one(let before, let home):
            guard home == environment else { return false }
            if before.payer == payer.payer {
                accounts[account.index] = .one(payer, environment)
                return true
            }
            latest[Key(account: account, environment: home)] = RecentPayers(before)
            accounts[account.index] = .several
            return false
        case .several: return false
        }
    }
}
