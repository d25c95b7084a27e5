import PurchaseEvents

/// An entry of the payment queue, and what the app has done for it.
final class SimulatedPurchase {
    enum State {
        /// Requested or in progress: the store hasn't answered.
        case open
        case deferred
        case failed(KnownError)
        /// Bought or restored, with a transaction.
        case bought
    }

    let product: Int
    let payment: PaymentID<Written>?
    var state = State.open
    var transaction: TransactionID<Written> = ""
    /// For a restored transaction: its original, and the purchase that it restores.
    var restores: TransactionID<Written>?
    var source: SimulatedPurchase?
    /// For an echo: the purchase that another device heard first.
    var echoed: SimulatedPurchase?
    /// Whether another device has heard of the purchase.
    var hasEchoes = false
    /// The account that receives a restored purchase by mistake, in place of its owner.
    var otherAccount: AccountID<Written>?
    /// The subscription; weak, because the subscription holds its current purchase.
    weak var subscription: SimulatedSubscription?
    var quantity: Int64 = 1
    var price: Int64
    var purchasedAt: Int64 = 0
    var originalPurchasedAt: Int64?
    var expiresAt: Int64?
    var offer: Offer?
    /// The billing plan that the store states.
    var terms = BillingTerms()
    /// The commitment that the purchase's period belongs to.
    var commitment: SimulatedCommitment?
    var isShared = false
    /// Whether the purchase is a seat that an organization paid for.
    var isAssigned = false
    /// Whether the purchase is an upgrade, which takes effect at once.
    var isUpgrade = false
    /// Whether another plan replaced the purchase before its end, without a statement about it.
    var isReplaced = false
    /// Whether the period begins before the one before it ends, which an upgrade would excuse.
    var overlaps = false
    /// Whether the app requested the purchase, and not the user through the App Store.
    var isRequested = false
    /// Whether the queue holds the purchase's payment object twice: another purchase has it too.
    var sharesPayment = false
    /// The faults of the request, of the queue's first statement, and of the finish.
    var requestFault: Fault?
    var answerFault: Fault?
    var finishFault: Fault?

    /// Whether another person approved the purchase; the queue says so at the next launch.
    var isApproved = false
    /// The number of launches that presented the purchase.
    var presentations = 0
    var isValidated = false
    var isInvalid = false
    /// Whether the log knows that the purchase was refunded or is no longer shared.
    var isRefunded = false
    /// Whether a refund of a part left units that may be delivered again: the product is a
    /// consumable, or the log doesn't tell its kind.
    var keepsUnits = false
    /// The units that a partial refund takes back and the app hasn't withdrawn.
    var refundedUnits: Int64 = 0
    /// Whether the user left the product out of a restore.
    var isLeftOut = false
    var isPersisted = false
    var downloads: [SimulatedDownload]?
    var isInstalled = false
    var delivered: Int64 = 0
    /// Whether the choice to deliver twice was already made.
    var decidedDeliveringTwice = false
    /// The end that the app sets for a non-renewing subscription.
    var until: Int64?
    var isFinished = false
    var willBeReversed = false
    /// The deliveries that weren't withdrawn.
    var grants: [SimulatedGrant] = []

    init(product: Int, payment: String? = nil) {
        self.product = product
        self.payment = payment.map { PaymentID($0) }
        price = SimulatedProduct.all[product].price
    }

    /// Whether the app owes the purchase; for a restored purchase, the original or the subscription
    /// decides.
    var isOwed: Bool {
        if let echoed { return echoed.isStillGranted }
        return !isRefunded && !isInvalid && !isLeftOut
            && (subscription != nil || source?.isOwed ?? true)
    }
    /// The product on sale.
    var item: SimulatedProduct { SimulatedProduct.all[product] }
    var kind: ProductKind { item.kind }

    /// Whether a restore brings the purchase back: it has left the queue, or the queue never
    /// presented it.
    var isRestorable: Bool { isFinished || isBought && presentations == 0 }

    private var isBought: Bool { if case .bought = state { true } else { false } }

    /// Whether the purchase grants its product at a time; a period depends on its
    /// subscription instead.
    func grantsAccess(at instant: Int64) -> Bool { isOwed && (until.map { instant < $0 } ?? true) }
}

/// A delivery: the transaction that granted a product.
struct SimulatedGrant {
    var transaction: TransactionID<Written>
    var product: Int
    var quantity: Int64 = 1
    /// Whether the transaction only restores an earlier purchase.
    var isRestored = false
}

/// A download of hosted content.
struct SimulatedDownload {
    var name: DownloadID<Written>
    var total: Int64
    var bytes: Int64 = 0
    var state: DownloadState?
}
