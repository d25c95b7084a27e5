import TestSupport

@testable import PurchaseEvents
@testable import PurchaseProjections
import PurchaseSimulation

/// A ``PurchaseLedger`` that can be dropped and reopened, and its model ``SimpleShop``.
struct LedgerPair: CommandPair {
    enum Command: CustomStringConvertible {
        case purchased(Int), act(SimpleShop.Act, Int), refunded(Int), reversed(Int)
        case launch, crash

        var description: String {
            switch self {
            case .purchased(let number): "purchased(t\(number))"
            case .act(let act, let number): "\(act)(t\(number))"
            case .refunded(let number): "refunded(t\(number))"
            case .reversed(let number): "reversed(t\(number))"
            case .launch: "launch"
            case .crash: "crash"
            }
        }
    }

    private let files = MemoryFiles()
    private var ledger: PurchaseLedger
    private var model: SimpleShop
    private var minutes: Int64 = 0
    private static let me = Session(account: "me", device: "phone")

    init(_ model: SimpleShop = SimpleShop()) throws {
        self.model = model
        let log = try EventLog.create(
            at: LogPair.path, app: nil, writer: nil, recordedAt: Timestamp(milliseconds: 0),
            durability: .process, operations: files)
        log.close()
        ledger = try LedgerPair.open(files)
        for (product, kind) in [("coins", ProductKind.consumable), ("theme", .nonConsumable)] {
            try ledger.record(
                .catalogListed(.init(product: .init(product), kind: kind)),
                by: LedgerPair.me, now: Timestamp(milliseconds: 0))
        }
    }

    private static func open(_ files: MemoryFiles) throws -> PurchaseLedger {
        try PurchaseLedger { () throws(EventLogError) in
            try EventLog.openFolding(
                at: LogPair.path, durability: .process, tornTail: .refuse, snapshot: "snapshot",
                snapshotInterval: 3, operations: files)
        }
    }

    // MARK: Commands

    static func draw(_ choices: any ChoiceSource) -> Command {
        let number = Int(choices.choose(below: 3))
        return switch choices.index(weightedBy: [4, 8, 1, 1, 1, 1]) {
        case 0: .purchased(number)
        case 1: .act(choices.pick(SimpleShop.Act.allCases), number)
        case 2: .refunded(number)
        case 3: .reversed(number)
        case 4: .launch
        default: .crash
        }
    }

    func allows(_ command: Command) -> Bool {
        switch command {
        case .purchased(let number): model.mayBePresented(number)
        // A reversal without a refund isn't one.
        case .reversed(let number): model.purchases[number].isRefunded
        case .act, .refunded, .launch, .crash: true
        }
    }

    mutating func give(_ command: Command) throws -> String? {
        minutes += 1
        switch command {
        case .purchased(let number):
            try record(
                .queuePurchased(
                    .init(
                        transaction: LedgerPair.transaction(number),
                        product: number == 0 ? "coins" : "theme",
                        quantity: number == 0 ? 2 : nil,
                        purchasedAt: Timestamp(milliseconds: 1))))
            model.present(number)
        case .refunded(let number):
            try record(
                .cancellationRefunded(
                    .init(transaction: LedgerPair.transaction(number), cancelledAt: now)))
            model.refund(number, true)
        case .reversed(let number):
            try record(.cancellationReversed(transaction: LedgerPair.transaction(number)))
            model.refund(number, false)
        case .launch:
            try ledger.perform(.launch, by: LedgerPair.me, now: now)
            model.launch()
        case .crash:
            files.loseProcess()
            ledger = try LedgerPair.open(files)
        case .act(let act, let number):
            if let problem = perform(act, number) { return problem }
        }
        return try difference(number(of: command))
    }

    private func number(of command: Command) -> Int? {
        switch command {
        case .purchased(let number), .act(_, let number), .refunded(let number),
            .reversed(let number):
            number
        case .launch, .crash: nil
        }
    }

    private mutating func perform(_ act: SimpleShop.Act, _ number: Int) -> String? {
        let expected = model.refusal(act, number)
        var refusal: Refusal?
        do throws(LedgerError) {
            try ledger.perform(LedgerPair.command(act, number), by: LedgerPair.me, now: now)
        } catch {
            refusal = error.refusal
            if refusal == nil { return "\(error)" }
        }
        if refusal != expected {
            return "refused by \(describe(refusal)), expected \(describe(expected))"
        }
        if refusal == nil { model.perform(act, number) }
        return nil
    }

    private static func command(_ act: SimpleShop.Act, _ number: Int) -> PurchaseEvents.Command {
        let id = transaction(number)
        return switch act {
        case .deliver: .deliver(id)
        case .deliverOne: .deliver(id, quantity: 1)
        case .persist: .persist(id, in: .server)
        case .finish: .finish(.transaction(id))
        case .withdraw: .withdraw(id, because: .refunded)
        }
    }

    private func record(_ fact: Fact<Written>) throws {
        try ledger.record(fact, by: LedgerPair.me, now: now)
    }

    private static func transaction(_ number: Int) -> TransactionID<Written> { .init("t\(number)") }

    private var now: Timestamp { Timestamp(milliseconds: minutes * 60_000) }

    // MARK: Answers

    /// Compares the ledger with the model. Pending work and entitlements are compared for all
    /// purchases, refusals for the touched purchase or, after a launch or a crash, for each one.
    private func difference(_ touched: Int?) throws -> String? {
        let pending = try ledger.pending().filter { $0.presentations != nil }
        let entitled = try ledger.entitlements()
        for number in model.purchases.indices {
            let name = "t\(number)"
            let next = pending.first { $0.transaction == name }?.next.rawValue
            if next != model.next(number) {
                return
                    "next of \(name): \(describe(next)), expected \(describe(model.next(number)))"
            }
            let isActive = entitled.contains { $0.transaction == name && $0.isActive }
            if isActive != model.entitles(number) { return "\(name) entitles: \(isActive)" }
            guard touched == nil || touched == number else { continue }
            for act in SimpleShop.Act.allCases {
                let refusal = ledger.refusals(
                    of: LedgerPair.command(act, number), by: LedgerPair.me, now: now
                ).first
                let expected = model.refusal(act, number)
                if refusal != expected {
                    return "\(act)(\(name)): \(describe(refusal)), expected \(describe(expected))"
                }
            }
        }
        return nil
    }

    private func describe(_ word: Any?) -> String { word.map { "\($0)" } ?? "nothing" }
}
