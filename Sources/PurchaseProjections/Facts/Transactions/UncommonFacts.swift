import PurchaseEvents

/// What is known of few transactions, apart from what is known of all: ``TransactionFacts`` have
/// a place for it only where there is something.
struct UncommonFacts: Sendable {
    var refund: RefundState?
    var refundKind: Refund.Kind?
    var refundPercent: Int64 = 0
    /// Values that don't fit where they usually are.
    var quantity: Int64 = 0, thousandths: Int64 = 0, deliveredInAll: Int64 = 0
    var deliveredParts: Int64 = 0, deliveredBeyond: Int64 = 0, deliveredBefore: Int64 = 0
    var withdrawnQuantity: Int64 = 0
    var until: Timestamp?
    var validation: ValidationOutcome?
    /// The versions of things of which statements say more than two, by ``StatedThing``.
    var versions: [VersionID] = []

    var purchasedAgainLine: LineNumber = 0
    var restoredLine: LineNumber = 0, restoredAgainLine: LineNumber = 0
    var listedLine: LineNumber = 0
    /// The latest persisting in the receipt, where there was another one after it.
    var persistedInReceiptLine: LineNumber = 0
    /// The first delivery and the one before the latest, where there were several.
    var firstDeliveredLine: LineNumber = 0, deliveredEarlierLine: LineNumber = 0
    var withdrawnLine: LineNumber = 0
    /// The latest finish and the one before it, where there were several.
    var finishedAgainLine: LineNumber = 0, finishedEarlierLine: LineNumber = 0
    var validatedLine: LineNumber = 0, validLine: LineNumber = 0, installedLine: LineNumber = 0
    var refundedLine: LineNumber = 0
    /// The line since which the cancellation date in force is known, or that it was taken back.
    var cancelledLine: LineNumber = 0
    /// The cancellation dates before, by their lines.
    var pastCancellations: [PastCancellation] = []
    var downloadLine: LineNumber = 0, downloadedLine: LineNumber = 0
    var openDownloads: Int32 = 0, finishedDownloads: Int32 = 0
    /// How often it was presented but for the first `queue.purchased`.
    var presentations: UInt32 = 0
    var lastDownload = OptionalName<Roles.Download>()
    var restoredAs = OptionalName<Roles.Transaction>()

    /// The version of a thing.
    func version(of thing: StatedThing) -> VersionID {
        versions.isEmpty ? VersionID() : versions[Int(thing.rawValue)]
    }

    mutating func note(_ version: VersionID, of thing: StatedThing) {
        if versions.isEmpty {
            versions = Array(repeating: VersionID(), count: StatedThing.allCases.count)
        }
        versions[Int(thing.rawValue)] = version
    }
}
