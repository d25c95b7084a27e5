import PurchaseEvents

/// A user of the simulated app: the user's devices, purchases and subscriptions, and the app's next
/// steps.
final class SimulatedAccount {
    /// How the log learns the App Store's statements about renewals and refunds.
    enum Statements: Int64 {
        /// The recorder states them without a notification.
        case plain
        /// From version 1 notifications with the shared secret.
        case secret
        /// From signed version 2 notifications.
        case signed
    }

    var name: AccountID<Written>
    let number: Int
    let environment: Environment?
    let currency: Currency?
    let statements: Statements
    let payer: PayerID<Written>?
    var devices: [SimulatedDevice] = []
    /// The device of the current session.
    var device: SimulatedDevice
    /// The app's next steps; the last one is performed first.
    var script: [ScriptItem] = []
    /// Whether the app crashed, so that it is launched again soon.
    var hasCrashed = false
    /// Whether the clock of the session's device is wrong.
    var isSkewed = false
    var isRestricted = false
    /// Renewals and other purchases that arrive at the next launch.
    var arrivals: [SimulatedPurchase] = []
    /// Non-consumables, non-renewing subscriptions and refunded consumables that may still change.
    var owned: [SimulatedPurchase] = []
    var subscriptions: [SimulatedSubscription] = []
    /// The number of units left of each consumable.
    var balances = [Int64](repeating: 0, count: SimulatedProduct.consumables.count)
    /// The rows of the account's receipt, or `nil` if the log shows no receipts.
    var rows: [ReceiptListed<Written>]?
    var receipts = 0
    /// Whether the app, and not the user, requests the next restore.
    var restoresUnasked = false
    /// The most recently finished consumable.
    var lastConsumable: SimulatedPurchase?
    /// Whether the account's name identifies a person; false once the fault is recorded as planted.
    var hasPersonalName = false
    /// Whether the account has never bought anything.
    var isNew = true

    init(
        name: String, number: Int, environment: Environment?, currency: Currency?,
        statements: Statements, payer: PayerID<Written>?
    ) {
        self.name = AccountID(name)
        (self.number, self.environment, self.currency) = (number, environment, currency)
        (self.statements, self.payer) = (statements, payer)
        device = SimulatedDevice(name: "phone-\(number)-1")
        devices = [device]
    }

    @discardableResult
    func addDevice() -> SimulatedDevice {
        let device = SimulatedDevice(name: "phone-\(number)-\(devices.count + 1)")
        devices.append(device)
        return device
    }

    /// Adds a step in front of the planned steps; the last step added is performed first.
    ///
    /// `wait` is the delay in milliseconds after the previous step.
    func push(after wait: Int64, _ step: ScriptStep) { script.append((wait, step)) }

    /// Whether the account still owns a purchase of a product.
    func owns(_ product: Int) -> Bool { owned.contains { $0.product == product } }
}

/// An installation of the app.
final class SimulatedDevice {
    let name: DeviceID<Written>
    /// The unfinished queue entries, in order of arrival.
    var open: [SimulatedPurchase] = []
    /// Purchases that other devices heard and this one will hear at its next launch.
    var news: [SimulatedPurchase] = []
    /// The error of the device's clock in milliseconds.
    var clockOffset: Int64 = 0
    /// Whether a restore was requested since the launch, after which the queue may present
    /// anything.
    var hasRestored = false
    /// Whether the observer is registered too late and the queue hasn't presented anything yet.
    var isLate = false
    /// The requests, each with the number of launches until it counts as a planted fault.
    var unansweredRequests:
        [(fault: Fault, seq: Int64, key: String?, launches: Int, product: Int?)] = []

    init(name: String) { self.name = DeviceID(name) }
}

/// A step of the app, and the delay after the previous step in milliseconds.
typealias ScriptItem = (wait: Int64, step: ScriptStep)

/// A step of the app or its user.
enum ScriptStep {
    /// Records a fact and does nothing else.
    indirect case note(Fact<Written>)
    /// Records a fact that other events imply, unless the recorder omits such facts.
    indirect case imply(Fact<Written>)
    /// Records a fact that is a planted fault.
    indirect case plant(Fault, Fact<Written>, key: String?)
    /// Receives an entry from the queue.
    case present(SimulatedPurchase)
    /// Performs the next missing step for an entry.
    case process(SimulatedPurchase)
    /// Withdraws access that has ended, and restores access that is owed again.
    case settle
    /// Records the owned products as unlocked.
    case unlock
    /// Performs an action of the user.
    case act
    case request(SimulatedPurchase)
    case purchasing(SimulatedPurchase)
    case outcome(SimulatedPurchase)
    /// Receives a purchase that this app didn't request.
    case arrive(SimulatedPurchase)
    case restore
    case refresh
}
