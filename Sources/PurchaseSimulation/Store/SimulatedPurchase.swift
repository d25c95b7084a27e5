import PurchaseEvents

/// An entry of the payment queue and what the app has done for it.
final class SimulatedPurchase {
    enum State {
        /// Requested or in progress: the store has not answered.
        case open
        case deferred
        case failed(KnownError)
        /// Bought or restored: it has a transaction.
        case bought
    }

    let product: Int
    let payment: PaymentID<Simulated>?
    var state = State.open
    var transaction: TransactionID<Simulated> = ""
    /// What it restores: the original, and the purchase that the account has of it.
    var restores: TransactionID<Simulated>?
    var source: SimulatedPurchase?
    /// Who restores it in place of its owner, by mistake.
    var stranger: AccountID<Simulated>?
    /// Its line, which the account has; the line has the purchase of its current period.
    weak var line: SimulatedLine?
    var quantity: Int64 = 1
    var price: Int64
    var purchasedAt: Int64 = 0
    var originalPurchasedAt: Int64?
    var expiresAt: Int64?
    var offer: Offer?
    var isShared = false
    /// Whether it was asked for as a better plan, which acts at once.
    var isUpgrade = false
    /// Whether the app requested it, and nobody in the App Store.
    var isRequested = false
    /// Whether its payment object is in the queue twice.
    var isTwin = false
    /// What goes wrong with the request, with what the queue says first, and with the finish.
    var requestFault: Fault?
    var answerFault: Fault?
    var finishFault: Fault?

    /// Whether somebody else approved it: the queue says so at the next launch.
    var isApproved = false
    /// How often it was presented at a launch.
    var presentations = 0
    var isValidated = false
    var isInvalid = false
    /// Whether the log knows that it was refunded, or is no longer shared.
    var isRefunded = false
    /// Whether the user left it out when restoring.
    var isLeftOut = false
    var isPersisted = false
    var downloads: [SimulatedDownload]?
    var isInstalled = false
    var delivered: Int64 = 0
    /// Whether it was decided if the app delivers it twice.
    var isTwiceDelivered = false
    /// The end that the app gives a season.
    var until: Int64?
    var isFinished = false
    /// Whether the refund will be taken back.
    var mayReturn = false
    /// What was delivered and not withdrawn.
    var grants: [SimulatedGrant] = []

    init(product: Int, payment: SimulatedText? = nil) {
        self.product = product
        self.payment = payment.map { PaymentID($0) }
        price = SimulatedProduct.all[product].price
    }

    /// Whether the app owes it; of what is restored the original decides, or the line.
    var isOwed: Bool {
        !isRefunded && !isInvalid && !isLeftOut && (line != nil || source?.isOwed ?? true)
    }
    var kind: ProductKind { SimulatedProduct.all[product].kind }

    /// Whether a restore brings it back: it is no more in a queue, or was never seen in one.
    var isRestorable: Bool { isFinished || isBought && presentations == 0 }

    private var isBought: Bool {
        switch state {
        case .bought: true
        case .open, .deferred, .failed: false
        }
    }

    /// Whether it entitles to its product at an instant; what a line does is the line's business.
    func isHeld(at instant: Int64) -> Bool { isOwed && (until.map { instant < $0 } ?? true) }
}

/// What was delivered: the transaction that gave a product.
struct SimulatedGrant {
    var transaction: TransactionID<Simulated>
    var product: Int
    var quantity: Int64 = 1
    /// Whether the transaction only restores.
    var isRestored = false
}

/// A download of hosted content.
struct SimulatedDownload {
    var name: DownloadID<Simulated>
    var total: Int64
    var bytes: Int64 = 0
    var state: DownloadState?
}
