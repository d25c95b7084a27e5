import PurchaseEvents

/// Facts that few transactions have, kept apart so that the common ``TransactionFacts`` stay small.
struct RareFacts: Sendable, SnapshottedElement {
    var refund: RefundState?
    var refundKind: Refund.Kind?
    var refundPercent: Int64 = 0
    /// The quantity and price, if too large for their compact fields.
    var quantity: Int64 = 0, thousandths: Int64 = 0
    var deliveredParts: Int64 = 0, deliveredAfterRest: Int64 = 0, deliveredBefore: Int64 = 0
    /// The quantity that the latest withdrawal took away, and that all withdrawals took away.
    var withdrawnQuantity: Int64 = 0, totalWithdrawn: Int64 = 0
    var until: Timestamp?, latestUntil: Timestamp?
    var validation: ValidationOutcome?
    /// Whether the latest statement of the ownership says `assigned`.
    var isAssigned = false
    /// The billing plan and the commitment; empty if no statement gives them.
    var terms: [TermRegisters] = []
    /// Versions of fields, if statements give more than two; indexed by ``StatedField``.
    var versions: [VersionID] = []

    var latestPurchasedLine: LineNumber = 0
    var restoredLine: LineNumber = 0, latestRestoredLine: LineNumber = 0
    var listedLine: LineNumber = 0
    /// The line of the latest persistence in the receipt, if another store came later.
    var persistedInReceiptLine: LineNumber = 0
    /// The lines of the first delivery and of the one before the latest, if there were several.
    var firstDeliveredLine: LineNumber = 0, previousDeliveredLine: LineNumber = 0
    var withdrawnLine: LineNumber = 0
    /// The greatest `at` of a withdrawal.
    var withdrawnAt: Timestamp?
    /// The lines of the latest finish and of the one before, if there were several.
    var latestFinishedLine: LineNumber = 0, previousFinishedLine: LineNumber = 0
    var validatedLine: LineNumber = 0, validLine: LineNumber = 0, installedLine: LineNumber = 0
    /// The line from which on the transaction counted as invalid.
    var invalidLine: LineNumber = 0
    var refundedLine: LineNumber = 0
    /// The line that stated the cancellation date in force, or its reversal.
    var cancelledLine: LineNumber = 0
    /// The earliest cancellation date of all that were stated, also after their reversal.
    var firstCancelledAt: Timestamp?
    /// Earlier cancellation dates, by line.
    var pastCancellations: [PastCancellation] = []
    var downloadLine: LineNumber = 0, downloadedLine: LineNumber = 0
    var openDownloads: Int32 = 0, finishedDownloads: Int32 = 0
    /// The number of presentations, without the first `queue.purchased`.
    var presentations: UInt32 = 0
    /// The place of the most recently discovered download, plus 1; 0 if there is none.
    var lastDownload: UInt32 = 0
    var isDownloadedBySeveral = false
    @Packed var restoredAs: TransactionHandle?
    /// The account in the earliest refund, revocation or reversal that names one.
    @Packed var cancellationAccount: AccountHandle?
    var cancellationAccountVersion = VersionID()

    /// Visits the numbers as they lie in memory, and the lists.
    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visitImage(of: &self, without: RareFacts.lists)
        visitor.visit(&terms).visit(&versions).visit(&pastCancellations)
    }

    static let lists = FieldVisitor.ListPlaces(
        of: \RareFacts.terms, \.versions, \.pastCancellations)

    func version(of field: StatedField) -> VersionID {
        versions.isEmpty ? VersionID() : versions[Int(field.rawValue)]
    }

    mutating func note(_ version: VersionID, of field: StatedField) {
        if versions.isEmpty {
            versions = Array(repeating: VersionID(), count: StatedField.allCases.count)
        }
        versions[Int(field.rawValue)] = version
    }
}
