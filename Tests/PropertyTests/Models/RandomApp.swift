import PurchaseProjections
import TestSupport

@testable import PurchaseEvents
import PurchaseSimulation

/// An app over a ledger that performs every allowed command in any order, while the App Store makes
/// any possible statement. Sometimes the app crashes and opens its log again.
struct RandomApp {
    private let files = MemoryFiles()
    private var ledger: PurchaseLedger
    private let choices: any ChoiceSource
    private let purchases: [Purchase]
    /// The requested payments; each has one transaction, even if it was requested several times.
    private var requests: Set<String> = []
    private var opened: Set<String> = []
    /// The transactions that the store has stated.
    private var stated: Set<String> = []
    private var hours: Int64 = 0
    /// What was accepted and what was refused, for the statistics.
    private(set) var outcomes: [String] = []

    /// Something to buy; its dates and names never change.
    private struct Purchase {
        var product: ProductID<Written>
        var quantity: Int64?
        var original: TransactionID<Written>?
        /// In days; a subscription's period has an end.
        var start: Int64
        var end: Int64?
        /// The time of a refund in hours, if there is one.
        var cancelled: Int64 = 0
        /// Whether it restores another purchase.
        var isRestored = false
        /// The account and environment that the store names, if any; the store never contradicts
        /// itself.
        var account: AccountID<Written>?
        /// The account that requests the payment, usually the same.
        var payer: AccountID<Written>?
        var environment: Environment?

        /// The number of the original, if it names one.
        var line: Int? { original.flatMap { Int($0.name.dropFirst()) } }
    }

    private static let path = "app.jsonl"

    init(_ choices: any ChoiceSource) throws {
        self.choices = choices
        let renewed = choices.pick(["news", "gold"])
        let all = [
            Purchase(product: "coins", quantity: choices.pick([nil, 3]), start: 1),
            Purchase(product: "level", start: 1), Purchase(product: "theme", start: 2),
            Purchase(product: "news", original: "t3", start: 1, end: 31),
            Purchase(product: .init(renewed), original: "t3", start: 31, end: 61),
            Purchase(product: "pass", start: 3),
            Purchase(product: "level", original: "t1", start: 5, isRestored: true),
            Purchase(product: "news", original: "t3", start: 5, end: 31, isRestored: true),
        ]
        let accounts: [AccountID<Written>?] = all.map { _ in choices.pick(RandomApp.accounts) }
        let places: [Environment?] = all.map { _ in
            choices.pick([nil, nil, nil, nil, .sandbox])
        }
        purchases = all.indices.map { number in
            var purchase = all[number]
            // Purchases of one line have one account and one environment.
            let line = all[number].line ?? number
            purchase.account = accounts[purchase.isRestored ? number : line]
            purchase.payer = choices.pick([
                purchase.account, purchase.account, purchase.account, "b4b82d5e",
            ])
            purchase.environment = places[line]
            purchase.cancelled = purchase.start * 24 + choices.pick([48, 0, 300])
            return purchase
        }
        let log = try EventLog.create(
            at: RandomApp.path, app: nil, writer: nil, recordedAt: RandomApp.time(0),
            durability: .process, operations: files)
        log.close()
        ledger = try RandomApp.open(files)
        if choices.choose(below: 4) < 3 { try list() }
    }

    private static func open(_ files: MemoryFiles) throws -> PurchaseLedger {
        try PurchaseLedger { () throws(EventLogError) in
            try EventLog.openFolding(
                at: path, durability: .process, tornTail: .refuse, operations: files)
        }
    }

    /// The bytes of the log.
    var bytes: [UInt8] { files[RandomApp.path] ?? [] }

    private static func time(_ hours: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_767_225_600_000 + hours * Timestamp.hour)
    }

    private var now: Timestamp { RandomApp.time(hours) }

    // MARK: Running

    /// Performs one step: time passes, and the store makes a statement, the app acts, or it
    /// crashes.
    mutating func step() throws {
        hours += choices.pick([1, 0, 1, 24, 240, -2])
        hours = max(0, hours)
        switch choices.index(weightedBy: [12, 8, 2, 1]) {
        case 0: try perform(command(Int(choices.choose(below: Int64(purchases.count)))))
        case 1: try state(Int(choices.choose(below: Int64(purchases.count))))
        case 2: try perform(.launch)
        default:
            files.loseProcess()
            ledger = try RandomApp.open(files)
            outcomes.append("crash")
        }
    }

    private static let accounts: [AccountID<Written>?] = ["7c9e6679", "7c9e6679", nil, "b4b82d5e"]

    /// A random account and device.
    private func session() -> Session {
        Session(
            account: choices.pick(RandomApp.accounts),
            device: choices.pick(["phone", "phone", "phone", "pad"]),
            environment: choices.pick([nil, nil, nil, nil, .production, .sandbox]))
    }

    private mutating func perform(_ command: Command) throws {
        var session = session()
        // The account that pays also requests the payment and finishes it.
        let payment = command.facts[0].payment?.name.dropFirst()
        if let number = payment.flatMap({ Int($0) }) {
            session.account = purchases[number].payer
        }
        do throws(LedgerError) {
            try ledger.perform(command, by: session, now: now)
            outcomes.append("did \(command.facts[0].type.wireName)")
            if case .request(let payment) = command { requests.insert(payment.payment.name) }
            if case .open(let content) = command { opened.insert(content.name) }
        } catch {
            guard let refusal = error.refusal else { throw error }
            outcomes.append("refused by \(refusal)")
        }
    }

    /// Makes a statement of the store, with the account and environment of its purchase.
    private mutating func state(
        _ fact: Fact<Written>, of number: Int? = nil, from source: NotificationID<Written>? = nil
    ) throws {
        var session = session()
        if let number {
            session.account = purchases[number].account
            session.environment = purchases[number].environment
        }
        let delay: Int64? = choices.pick([nil, nil, 0, 24, -240])
        let signedAt = delay.map { RandomApp.time(hours + $0) }
        let event = Event<Written>(
            seq: 1, at: now, source: source, account: session.account, device: session.device,
            environment: session.environment, signedAt: signedAt, fact)
        let line = try LineWriter.line(of: event)
        // The store doesn't state what the rule `lifecycle` reports.
        if case .event(let event) = line.withUnsafeBytes({ LineDecoder().decodeFingerprinted($0) }),
            ledger.state.forbids(event)
        {
            return
        }
        do throws(LedgerError) {
            try ledger.record([Draft(event)])
            outcomes.append("heard \(fact.type.wireName)")
            if fact.product != nil, let id = fact.transaction { stated.insert(id.name) }
        } catch {
            guard let refusal = error.refusal else { throw error }
            outcomes.append("refused by \(refusal)")
        }
    }

    // MARK: The app

    private func command(_ number: Int) -> Command {
        let id = TransactionID<Written>("t\(number)"), product = purchases[number].product
        switch choices.index(weightedBy: [4, 3, 4, 3, 2, 1, 2, 1, 1, 2, 2]) {
        case 0:
            return .deliver(
                id, quantity: choices.pick([nil, nil, 1, 2]),
                until: choices.pick([nil, nil, RandomApp.time(hours + 300)]))
        case 1: return .persist(id, in: choices.pick([.server, .receipt, .appState]))
        case 2: return .finish(.transaction(id))
        case 3:
            return .withdraw(
                id, because: choices.pick([.refunded, .expired, .upgraded, .revoked]))
        case 4:
            return .download(
                .init(
                    transaction: id, download: choices.pick(["d1", "d2"]),
                    state: choices.pick([.active, .finished, .failed, .cancelled, .waiting])))
        case 5: return .install(id, in: .caches)
        case 6:
            return .request(
                .init(
                    payment: .init("p\(number)"), product: product,
                    quantity: choices.pick([nil, nil, 11]) ?? purchases[number].quantity))
        case 7: return .finish(.payment(.init("p\(number)")))
        case 8: return choices.pick([.restore(by: .user), .select(product)])
        case 9: return .open(choices.pick(["may", "june", "july"]))
        default: return .consume(product, quantity: choices.pick([nil, 2]))
        }
    }

    // MARK: The App Store

    private mutating func list() throws {
        let listings: [CatalogListed<Written>] = [
            .init(product: "coins", kind: .consumable),
            .init(product: "level", kind: .nonConsumable, hosted: true),
            .init(product: "theme", kind: .nonConsumable),
            .init(product: "news", kind: .autoRenewable, group: "press", level: 2),
            .init(product: "gold", kind: .autoRenewable, group: "press", level: 1),
            .init(product: "pass", kind: .nonRenewing),
        ]
        for listing in listings { try ledger.record(.catalogListed(listing), now: now) }
    }

    private mutating func state(_ number: Int) throws {
        let id = TransactionID<Written>("t\(number)"), payment = PaymentID<Written>("p\(number)")
        switch choices.index(weightedBy: [8, 3, 3, 2, 2, 1, 1, 1, 2, 2, 1, 1, 1]) {
        case 0: try present(number)
        case 1: if !purchases[number].isRestored { try state(row(number), of: number) }
        case 2:
            // Before a period is known, nobody can know that it grants nothing.
            guard purchases[number].end == nil || isStated(number) else { return }
            try state(refund(number), of: number)
        case 3: try state(.cancellationReversed(transaction: id), of: number)
        case 4: try state(choices.pick(line()), of: 3)
        case 5: try state(.queuePurchasing(payment: payment), of: number)
        case 6: try state(.queueDeferred(payment: payment), of: number)
        case 7: try state(.queueFailed(.init(payment: payment, error: "cancelled")), of: number)
        case 8:
            guard isStated(number) else { return }
            try state(
                .deliveryValidated(
                    .init(
                        transaction: id, outcome: choices.pick([.valid, .invalid, .unreachable]))),
                of: number)
        case 9: try state(choices.pick(other()))
        case 10:
            let original = purchases[number].original ?? id
            // The previous owner must be known.
            let owner = purchases[purchases[number].line ?? number].account
            guard stated.contains(original.name), owner != nil else { return }
            try state(.accountLinked(.init(original: original)))
        case 11: try publish()
        default: try notify(number)
        }
    }

    private func isStated(_ number: Int) -> Bool { stated.contains("t\(number)") }

    /// The queue presents a transaction.
    private mutating func present(_ number: Int) throws {
        let purchase = purchases[number], id = TransactionID<Written>("t\(number)")
        let (start, end) = (
            RandomApp.time(purchase.start * 24), purchase.end.map { RandomApp.time($0 * 24) }
        )
        if purchase.isRestored, let original = purchase.original {
            // By then the owner and the status of the original are known.
            guard stated.contains(original.name) else { return }
            return try state(
                .queueRestored(
                    .init(
                        transaction: id, original: original, product: purchase.product,
                        purchasedAt: start, expiresAt: end)), of: number)
        }
        let isAsked = requests.contains("p\(number)")
        try state(
            .queuePurchased(
                .init(
                    transaction: id, payment: isAsked ? .init("p\(number)") : nil,
                    original: purchase.original, product: purchase.product,
                    quantity: purchase.quantity,
                    purchasedAt: start, expiresAt: end)), of: number)
    }

    private func row(_ number: Int) -> Fact<Written> {
        let purchase = purchases[number]
        let isUpgraded = purchase.end != nil && choices.choose(below: 4) == 3
        let isCancelled = choices.choose(below: 4) == 3
        return .receiptListed(
            .init(
                transaction: .init("t\(number)"), original: purchase.original,
                product: purchase.product,
                quantity: purchase.quantity, purchasedAt: RandomApp.time(purchase.start * 24),
                expiresAt: purchase.end.map { RandomApp.time($0 * 24) },
                cancelledAt: isCancelled ? RandomApp.time(purchase.cancelled) : nil,
                upgraded: isUpgraded ? true : nil))
    }

    private func refund(_ number: Int) -> Fact<Written> {
        let id = TransactionID<Written>("t\(number)")
        let at = RandomApp.time(purchases[number].cancelled)
        return choices.pick([
            .cancellationRefunded(.init(transaction: id, cancelledAt: at)),
            .cancellationRevoked(.init(transaction: id, cancelledAt: at)),
            .cancellationRequested(transaction: id), .cancellationDeclined(transaction: id),
        ])
    }

    /// Statements about the subscription as a whole.
    private func line() -> [Fact<Written>] {
        // By then the log knows the period that isn't renewed or is extended.
        let isRenewed = isStated(4)
        let grace = RandomApp.time(choices.pick(isRenewed ? [35, 65] : [35]) * 24)
        let whole = RenewalExtended<Written>(
            original: "t3", expiresAt: RandomApp.time((isRenewed ? 70 : 33) * 24))
        return [
            .renewalFailed(.init(original: "t3", retrying: true, graceExpiresAt: grace)),
            .renewalStarted(
                .init(
                    transaction: "t3", original: "t3", product: "news",
                    purchasedAt: RandomApp.time(24), expiresAt: RandomApp.time(31 * 24))),
            .renewalRenewed(
                .init(
                    transaction: "t4", original: "t3", product: purchases[4].product,
                    purchasedAt: RandomApp.time(31 * 24), expiresAt: RandomApp.time(61 * 24))),
            .renewalExtended(whole),
            .renewalExtended(
                .init(
                    original: "t3", transaction: "t4", expiresAt: RandomApp.time(66 * 24))),
            .renewalExpired(.init(original: "t3", reason: .billing)),
            .renewalTurnedOff(original: "t3"), .renewalTurnedOn(original: "t3"),
            .renewalPlanChanged(.init(original: "t3", next: "gold", effect: .now)),
            .renewalGraceExpired(original: "t3"),
        ]
    }

    private mutating func publish() throws {
        let content = choices.pick(["may", "june"])
        // Content is published before anyone opens it.
        guard !opened.contains(content) else { return }
        try state(
            .contentPublished(
                .init(
                    content: .init(content), product: choices.pick([nil, "news"]),
                    publishedAt: RandomApp.time(choices.number(in: 0...70) * 24))))
    }

    private func other() -> [Fact<Written>] {
        [
            .paymentRestricted, .paymentAllowed, .restoreCompleted,
            .restoreFailed(.init(error: "network")), .queueUnobserved,
        ]
    }

    private mutating func notify(_ number: Int) throws {
        guard purchases[number].end == nil || isStated(number) else { return }
        let notification = NotificationID<Written>("n\(hours)")
        try state(
            .notificationReceived(
                .init(
                    notification: notification, name: "CANCEL", version: 1,
                    secret: choices.pick([nil, .right, .wrong]))))
        try state(refund(number), of: number, from: notification)
    }
}
