import PurchaseEvents
import PurchaseProjections
import PurchaseRecorder

/// The complete purchase code of an app with several accounts on one device.
///
/// The shop sells coins, a theme, birds to download, a season and a magazine. The ledger is its
/// only record: an account may use what the ledger says was delivered and is still owed. So
/// delivering and withdrawing need only the events that the recorder writes.
open class Shop: PurchaseHandler {
    /// The ledger.
    public let ledger: PurchaseLedger
    private let settings: RecorderSettings
    /// The messages for the user, the latest last.
    public private(set) var messages: [String] = []
    /// The account that is signed in: the one-way hash of its name (G3.4).
    public var account: String?
    /// The restored products with hosted content that the user wants again; empty means all (G8.7).
    public var wishes: [String] = []
    /// The recorder that connects the shop to the queue; `nil` until the shop is open.
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

    /// Opens the shop; call this method as soon as the app starts (G4.1).
    ///
    /// `server` calls ``hear(_:id:of:signedAt:)`` with each statement that the shop's server has
    /// for the app, before anything is unlocked.
    open func open(
        _ recorder: PaymentQueueRecorder, hearing server: () throws -> Void = {}
    ) throws {
        self.recorder = recorder
        try recorder.launch()
        try server()
        try unlock()
        recorder.requestProducts(ShopProduct.all.map(\.name))
    }

    /// Unlocks the products that the ledger says are granted and still owed (G4.14).
    ///
    /// Records all of them in one write, so that a crash can't leave only some of them unlocked.
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

    /// Buys a product for the signed-in account; does nothing if the shop doesn't sell it now.
    open func buy(_ product: String, quantity: Int = 1) throws {
        guard let recorder, try mayBuy(product, for: account) else { return }
        try recorder.buy(PaymentOrder(product: product, quantity: quantity, account: account))
    }

    /// Whether the shop sells a product to an account: coins at any time, any other product unless
    /// the account has it or waits for it (G8.5).
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

    /// Uses coins; adds a message instead if there are too few.
    open func spend(_ coins: Int64) {
        act(.consume(ProductID(ShopProduct.all[0].name), quantity: coins))
    }

    /// Opens content to read; adds a message instead if the account may not.
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

    /// Records what the App Store told the shop's server about an account, such as a refund or a
    /// renewal.
    ///
    /// The server may send a statement again with the same `id`; the log keeps it once.
    open func hear(
        _ fact: Fact<Written>, id: String, of account: String?, signedAt: Timestamp
    ) throws {
        try ledger.record(
            fact, id: id, signedAt: signedAt, by: Session(account: account.map { AccountID($0) }),
            now: settings.now())
        recorder?.workOnDueTasks()
    }

    // MARK: PurchaseHandler

    /// Returns the store that keeps the purchase (G4.11).
    ///
    /// The receipt keeps the products that stay in it, the shop's server keeps the season, and the
    /// app's own state keeps the coins.
    open func persist(_ purchase: DuePurchase) throws -> PersistentStore {
        switch ShopProduct.named(purchase.product)?.kind {
        case .consumable: .appState
        case .nonConsumable, .autoRenewable: .receipt
        case .nonRenewing, nil: .server
        }
    }

    /// Tells the user that the product is theirs, and returns the end of a season.
    ///
    /// The recorder's event is the delivery, so there is nothing else to do.
    open func deliver(_ purchase: DuePurchase) throws -> Timestamp? {
        messages.append("\(purchase.product) is yours")
        guard let days = ShopProduct.named(purchase.product)?.days else { return nil }
        return purchase.purchasedAt?.advanced(byMilliseconds: days * Timestamp.day)
    }

    /// Tells the user that access to the product has ended.
    ///
    /// The recorder's event is the withdrawal, so there is nothing else to do.
    open func withdraw(_ purchase: DuePurchase, because reason: WithdrawalReason) throws {
        messages.append("access to \(purchase.product) has ended: \(reason.rawValue)")
    }

    /// Returns the documents folder, which the system doesn't empty (G4.18).
    ///
    /// A real app moves the files there first.
    open func install(
        _ download: any ObservedDownload, of purchase: DuePurchase
    ) throws -> InstallPlace { .documents }

    /// Returns the products that the user wants to download again (G8.4).
    open func choose(among restored: [DuePurchase]) -> [String] {
        restored.map(\.product).filter { wishes.contains($0) }
    }

    /// Tells the user why a payment failed, unless the user cancelled it.
    open func show(_ failure: FailedPayment) {
        guard failure.error != KnownError.cancelled.rawValue else { return }
        messages.append("\(failure.product ?? "a purchase") failed: \(failure.error)")
    }

    /// Tells the user that a payment waits for approval.
    open func showWaiting(product: String, isDeferred: Bool) {
        if isDeferred { messages.append("\(product) is waiting for approval") }
    }

    /// Lets a payment from the App Store go on if the shop would sell the product.
    open func mayPayNow(_ order: PaymentOrder) -> Bool {
        (try? mayBuy(order.product, for: order.account)) ?? false
    }

    /// Adds the problem to the messages.
    open func receive(_ problem: RecorderProblem) { messages.append("\(problem)") }
}
