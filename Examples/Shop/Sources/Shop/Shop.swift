import PurchaseEvents
import PurchaseProjections
import PurchaseRecorder

/// The purchase code of an app, whole: a shop that sells coins, a theme, birds to download, a
/// season and a magazine to two or more accounts on one device.
///
/// The ledger is the shop's only book: what an account may use is what the ledger says was
/// delivered and is still owed. So delivering and withdrawing are nothing but their records, which
/// the recorder writes.
open class Shop: PurchaseHandler {
    /// The ledger.
    public let ledger: PurchaseLedger
    private let settings: RecorderSettings
    /// What the user is told, the latest last.
    public private(set) var messages: [String] = []
    /// The account that is signed in: the one-way hash of its name (G3.4).
    public var account: String?
    /// Which restored products with hosted content the user wants again; empty is all (G8.7).
    public var wishes: [String] = []
    /// Who speaks with the queue, once the shop is open.
    public private(set) var recorder: PaymentQueueRecorder?

    /// Creates a shop over a ledger.
    public init(ledger: PurchaseLedger, settings: RecorderSettings) {
        self.ledger = ledger
        self.settings = settings
    }

    /// The settings of a recorder for the shop.
    public static func settings(
        device: String, now: @escaping @Sendable () -> Timestamp,
        newKey: @escaping @Sendable () -> String
    ) -> RecorderSettings {
        RecorderSettings(
            device: DeviceID(device), kinds: ShopProduct.kinds, now: now, newKey: newKey)
    }

    // MARK: Launching

    /// Opens the shop: call it at once when the app starts (G4.1).
    ///
    /// What the shop's server has to say is heard before anything is unlocked, by the calls of
    /// ``hear(_:id:of:signedAt:)`` that `server` makes.
    open func open(
        _ recorder: PaymentQueueRecorder, hearing server: () throws -> Void = {}
    ) throws {
        self.recorder = recorder
        try recorder.launch()
        try server()
        try unlock()
        recorder.requestProducts(ShopProduct.all.map(\.name))
    }

    /// Unlocks what is granted and still owed, from the record alone (G4.14): all in one write, so
    /// that no crash leaves a launch that unlocked a part.
    public func unlock() throws {
        let now = settings.now()
        let drafts = try ledger.entitlements(asOf: now)
            .filter { $0.isActive && $0.isGranted && $0.kind != .consumable }
            .compactMap { row in
                row.product.map { product in
                    Draft(
                        at: now, account: row.account.map { AccountID($0) },
                        device: settings.device, environment: settings.environment,
                        .deliveryUnlocked(product: ProductID(product)))
                }
            }
        if !drafts.isEmpty { try ledger.record(drafts) }
    }

    private func session(_ account: String?) -> Session {
        Session(
            account: account.map { AccountID($0) }, device: settings.device,
            environment: settings.environment)
    }

    // MARK: The user

    /// Buys something for the signed-in account.
    open func buy(_ product: String, quantity: Int = 1) throws {
        guard let recorder, try mayBuy(product, for: account) else { return }
        try recorder.buy(PaymentOrder(product: product, quantity: quantity, account: account))
    }

    /// Whether the shop sells a product to an account: coins at any time, the rest unless the
    /// account has it or waits for it (G8.5).
    public func mayBuy(_ product: String, for account: String?) throws -> Bool {
        guard let known = ShopProduct.named(product) else { return false }
        if known.kind == .consumable { return true }
        let isAsked = recorder?.isWaiting(for: product, account: account) ?? false
        return try !isAsked && !rows(of: product, account).contains(where: \.isActive)
    }

    private func rows(of product: String, _ account: String?) throws -> [EntitlementRow] {
        try ledger.entitlements(account: account.map { AccountID($0) }, asOf: settings.now())
            .filter { $0.product == product }
    }

    /// Whether the signed-in account may use a product now.
    public func has(_ product: String) throws -> Bool {
        try rows(of: product, account).contains { $0.isActive && $0.isGranted }
    }

    /// Uses coins; does nothing if there are too few.
    open func spend(_ coins: Int64) {
        act(.consume(ProductID(ShopProduct.all[0].name), quantity: coins))
    }

    /// Opens something to read, if the account may.
    open func read(_ content: String) { act(.open(ContentID(content))) }

    private func act(_ command: Command) {
        do throws(LedgerError) {
            try ledger.perform(command, by: session(account), now: settings.now())
        } catch {
            messages.append("\(error)")
        }
    }

    /// Restores the signed-in account's purchases (G8.1, G8.6).
    open func restore() throws { try recorder?.restore(account: account) }

    // MARK: The shop's server

    /// Takes in what the App Store told the shop's server of an account: a refund, a renewal. The
    /// server may say it again, by the same `id`.
    open func hear(
        _ fact: Fact<Written>, id: String, of account: String?, signedAt: Timestamp
    ) throws {
        try ledger.record(
            fact, id: id, signedAt: signedAt, by: Session(account: account.map { AccountID($0) }),
            now: settings.now())
        recorder?.workOnDueTasks()
    }

    // MARK: PurchaseHandler

    /// Says where the record is: the receipt for what stays in it, the shop's server for the
    /// season, the ledger for coins (G4.11).
    open func persist(_ purchase: DuePurchase) throws -> PersistentStore {
        switch ShopProduct.named(purchase.product)?.kind {
        case .consumable: .appState
        case .nonConsumable, .autoRenewable: .receipt
        case .nonRenewing, nil: .server
        }
    }

    /// Delivers by the record alone; the shop ends a season after its days.
    open func deliver(_ purchase: DuePurchase) throws -> Timestamp? {
        messages.append("\(purchase.product) is yours")
        guard let days = ShopProduct.named(purchase.product)?.days else { return nil }
        return purchase.purchasedAt?.advanced(byMilliseconds: days * Timestamp.day)
    }

    /// Withdraws by the record alone.
    open func withdraw(_ purchase: DuePurchase, because reason: WithdrawalReason) throws {
        messages.append("\(purchase.product) is over: \(reason.rawValue)")
    }

    /// Moves the files to the documents, where they aren't purged (G4.18).
    open func install(
        _ download: any ObservedDownload, of purchase: DuePurchase
    ) throws -> InstallPlace { .documents }

    /// Asks the user which products to download again (G8.4).
    open func choose(among restored: [DuePurchase]) -> [String] {
        restored.map(\.product).filter { wishes.contains($0) }
    }

    /// Tells the user why a payment failed; not where the user cancelled it.
    open func show(_ failure: FailedPayment) {
        guard failure.error != KnownError.cancelled.rawValue else { return }
        messages.append("\(failure.product ?? "a purchase") failed: \(failure.error)")
    }

    /// Tells the user what to wait for.
    open func showWaiting(product: String, isDeferred: Bool) {
        if isDeferred { messages.append("\(product) waits for approval") }
    }

    /// Lets a payment from the App Store go on where the shop would sell the product.
    open func mayPayNow(_ order: PaymentOrder) -> Bool {
        (try? mayBuy(order.product, for: order.account)) ?? false
    }

    /// Keeps what went wrong, for support.
    open func receive(_ problem: RecorderProblem) { messages.append("\(problem)") }
}
