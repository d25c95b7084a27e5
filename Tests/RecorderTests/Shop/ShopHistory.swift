import PurchaseProjections
import PurchaseRecorder
import PurchaseSimulation
import Shop
import TestSupport

@testable import PurchaseEvents

/// A history of the shop on one device: two users, a store with random answers, and an app that may
/// crash at any step.
final class ShopHistory {
    private let choices: any ChoiceSource
    private let clock = TestClock()
    private let log: TestLog
    private let store: ShopStore
    private let fuse = Fuse()
    private var dice: Dice
    private var queue: ShopQueue
    private var shop: Shop
    private let makeShop: (TestLog, PurchaseLedger, RecorderSettings, ShopQueue) -> Shop
    /// Why a case can't go on: a situation that an app must never meet.
    private(set) var failure: String?
    /// The events of the history, for the statistics.
    private(set) var outcomes: [String] = []

    private static let accounts = [
        "7c9e6679-7425-40de-944b-e07fc1f90ae7", "b4b82d5e-11f0-4a31-9d3e-2c5f7a9b0c1d",
    ]

    init(
        _ choices: any ChoiceSource,
        _ makeShop: @escaping (TestLog, PurchaseLedger, RecorderSettings, ShopQueue) -> Shop
    ) throws {
        self.choices = choices
        self.makeShop = makeShop
        dice = Dice(seed: UInt64(choices.choose(below: 1 << 20)))
        log = try TestLog(clock)
        store = ShopStore(choices, clock)
        queue = ShopQueue(store, fuse)
        shop = try Shop(ledger: log.open(), settings: clock.settings)
        try start()
    }

    var lines: [String] { log.lines }
    func reports(
        _ rules: [any Rule.Type] = RuleCatalogue.all
    ) throws -> [(rule: RuleInfo, report: Report)] { try log.reports(rules) }

    // MARK: Processes

    /// Launches the app in a new process.
    private func start() throws {
        shop.ledger.close()
        fuse.renew()
        let fuse = fuse
        log.files.plan { call, _ in
            call.changes && !fuse.burn() || fuse.isBlown ? .fail(5) : nil
        }
        let settings = Shop.settings(
            device: "phone", now: { [clock] in clock.now }, newKey: { [clock] in clock.newKey() })
        let account = shop.account
        queue = ShopQueue(store, fuse)
        shop = try makeShop(log, log.open(), settings, queue)
        shop.account = account ?? ShopHistory.accounts[0]
        if store.mayEndAtLaunch, choices.happens(oncePer: 4) {
            fuse.arm(Int(choices.number(in: 1...40)))
        }
        try attempt("launch") {
            let recorder = try PaymentQueueRecorder(
                ledger: shop.ledger, notes: log.notes, queue: queue, settings: settings,
                handler: shop)
            queue.recorder = recorder
            try shop.open(recorder) { try hear() }
            store.present(queue)
            queue.answerProducts()
            try hear()
        }
        try endIfBlown()
    }

    /// Ends the process, with or without a power loss, and launches the app again.
    private func end(_ kind: CrashKind?) throws {
        outcomes.append(kind.map { "crash \($0)" } ?? "end")
        store.endProcess()
        shop.ledger.close()
        if let kind {
            log.files = MemoryFiles(log.files.image.after(kind, &dice))
        } else {
            log.files.loseProcess()
        }
        clock.advance(hours: 1)
        try start()
    }

    private func endIfBlown() throws {
        guard fuse.isBlown else {
            fuse.arm(nil)
            store.markHeard()
            return
        }
        try end(choices.pick(CrashKind.allCases))
    }

    /// Runs `body`; ignores refusals of the ledger, and any error while the process ends.
    private func attempt(_ what: String, _ body: () throws -> Void) throws {
        do {
            try body()
            outcomes.append(what)
        } catch {
            if fuse.isBlown { return }
            if case .ledger(.refused(let refusal)) = error as? RecorderProblem {
                outcomes.append("\(what) refused by \(refusal.rawValue)")
                return
            }
            throw error
        }
    }

    // MARK: Steps

    /// Performs one random step.
    func step() throws {
        clock.advance(hours: choices.pick([1, 1, 30, 200]))
        if store.mayEnd, choices.happens(oncePer: 3) { fuse.arm(Int(choices.number(in: 1...30))) }
        let product = choices.pick(ShopProduct.all)
        switch choices.index(weightedBy: [12, 6, 2, 2, 2, 2, 2, 1, 1]) {
        case 0:
            try attempt("store") { store.act(queue) }
        case 1:
            try attempt("buy") {
                try shop.buy(
                    product.name,
                    quantity: product.kind == .consumable ? Int(choices.number(in: 1...3)) : 1)
            }
        case 2:
            shop.account = choices.pick(ShopHistory.accounts)
        case 3: if store.mayEnd { try end(nil) }
        case 4:
            shop.wishes = choices.pick([[], ["com.example.shop.birds"]])
            try attempt("restore") { try shop.restore() }
        case 5: shop.read("daily")
        case 6: shop.spend(choices.number(in: 1...2))
        case 7: try attempt("promote") { promote(product) }
        default: shop.recorder?.workOnDueTasks()
        }
        try attempt("hear") { try hear() }
        try endIfBlown()
        choices.mark()
    }

    private func hear() throws {
        try store.takeStatements { statement in
            try shop.hear(
                statement.fact, id: statement.id, of: statement.account,
                signedAt: statement.signedAt)
        }
    }

    /// The user buys in the App Store, which asks the app.
    private func promote(_ product: ShopProduct) {
        let order = PaymentOrder(product: product.name, account: shop.account)
        guard shop.recorder?.shouldAdd(order) == true else { return }
        store.promote(order.product, order.account, queue)
    }

    /// Lets everything in progress end.
    func settle() throws {
        fuse.arm(nil)
        store.mayPay = true
        // Buy something, so that the queue presents entries and the recorder settles what a crash
        // left open.
        store.promote(ShopProduct.all[0].name, shop.account, queue)
        for _ in 0..<60 where store.isBusy {
            store.finishSomething(queue)
            try hear()
            shop.recorder?.workOnDueTasks()
        }
        queue.removeFinished()
        if !store.held.allSatisfy(\.isDeferred) {
            let open = store.held.map { "\($0.product) \($0.state)" }
            failure = "still in the queue: \(open); \(shop.messages.suffix(4))"
        }
    }
}
