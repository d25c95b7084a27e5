import PurchaseEvents

/// A user of the simulated app: what is on the devices, what is owned, what the app does next.
final class SimulatedAccount {
    /// How the log learns what the App Store says of renewals and refunds.
    enum Statements: Int64 {
        /// From the recorder itself, without a notification.
        case plain
        /// From notifications of version 1, with the shared secret.
        case secret
        /// From signed notifications of version 2.
        case signed
    }

    let name: AccountID<Simulated>
    let number: Int
    let environment: Environment?
    let currency: Currency?
    let statements: Statements
    let payer: PayerID<Simulated>?
    var devices: [SimulatedDevice] = []
    /// The device of the session.
    var device: SimulatedDevice
    /// What the app does next, the last first.
    var script: [ScriptItem] = []
    /// Whether the app crashed, so that it is launched again soon.
    var hasCrashed = false
    /// Whether this session is one of a device whose clock is wrong.
    var isSkewed = false
    var isRestricted = false
    /// Renewals and other purchases that wait for a launch.
    var arrivals: [SimulatedPurchase] = []
    /// Non-consumables, seasons and refunded consumables, as long as something may come of them.
    var owned: [SimulatedPurchase] = []
    var lines: [SimulatedLine] = []
    /// What is left of each consumable.
    var balances = [Int64](repeating: 0, count: SimulatedProduct.consumables.count)
    /// The rows of the account's receipt, where the log shows receipts.
    var rows: [ReceiptListed<Simulated>]?
    var receipts = 0
    /// Whether the restore that comes is the app's own idea.
    var restoresByItself = false
    /// The last consumable that was finished.
    var lastConsumable: SimulatedPurchase?
    /// Whether its name says who it is, until that was planted.
    var isPlain = false
    /// Whether it never bought anything.
    var isNew = true

    init(
        name: SimulatedText, number: Int, environment: Environment?, currency: Currency?,
        statements: Statements, payer: PayerID<Simulated>?
    ) {
        self.name = AccountID(name)
        self.number = number
        self.environment = environment
        self.currency = currency
        self.statements = statements
        self.payer = payer
        device = SimulatedDevice(name: "phone-\(number)-1")
        devices = [device]
    }

    /// Does something after what is planned just before; the last call happens first.
    func first(after wait: Int64, _ step: Step) {
        script.append(ScriptItem(wait: wait, step: step))
    }

    /// The purchase of a product that is still owned.
    func owns(_ product: Int) -> Bool { owned.contains { $0.product == product } }
}

/// An installation of the app.
final class SimulatedDevice {
    let name: DeviceID<Simulated>
    /// The queue's entries that are not finished, in the order in which they came.
    var open: [SimulatedPurchase] = []
    /// How far its clock is from the true time, in milliseconds.
    var clockOffset: Int64 = 0
    /// Whether the observer is registered too late, and the queue has not spoken yet.
    var isLate = false
    /// What is wrong only if so many launches follow without what is missing.
    var missing: [(fault: Fault, seq: Int64, key: SimulatedText?, launches: Int, product: Int?)] =
        []

    init(name: SimulatedText) { self.name = DeviceID(name) }
}

/// One thing that the app does, and how long after the one before.
struct ScriptItem {
    var wait: Int64
    var step: Step
}

/// What an app or its user does.
enum Step {
    /// Records a fact and nothing else.
    indirect case note(Fact<Simulated>)
    /// Records a fact that others imply, unless the recorder leaves such facts out.
    indirect case imply(Fact<Simulated>)
    /// Records a fact that should not have been.
    indirect case plant(Fault, Fact<Simulated>, key: SimulatedText?)
    /// Hears of an entry of the queue.
    case present(SimulatedPurchase)
    /// Works on an entry: the first thing that is missing.
    case process(SimulatedPurchase)
    /// Takes away what is over.
    case settle
    /// Finds unlocked what is owned.
    case unlock
    /// The user does something.
    case act
    case request(SimulatedPurchase)
    case purchasing(SimulatedPurchase)
    case outcome(SimulatedPurchase)
    /// A purchase that nobody requested here.
    case arrive(SimulatedPurchase)
    case restore
    case refresh
}
