import PurchaseEvents

/// The recorder's memory between launches, beside the log: the keys of the payments in the queue,
/// and work that was begun and isn't recorded yet.
///
/// The file holds events of format 1 and is always replaced as a whole, so after a crash it is the
/// old file or the new one. Each note is written before the queue is called, and removed once the
/// log has the event, so a crash in between loses neither.
struct RecorderNotes {
    /// The payments that may be in the queue, in the order in which they got their keys.
    var payments: [NotedPayment] = []
    /// The entries being finished: the queue may know the finish before the log has it.
    var finishing: Set<QueueEntry<Written>> = []
    /// The transactions that the app delivered and the ledger refused to record as delivered; the
    /// app has to withdraw them.
    var refusedDeliveries: Set<TransactionID<Written>> = []
    /// The restore in progress: its name, and the session that requested it.
    var restore: (name: String, session: Session)?
    /// The number of lines in the file that aren't notes.
    private(set) var unreadable = 0
    private let file: ReplacedFile

    /// Reads the notes; a missing file means no notes.
    init(in file: ReplacedFile) throws(RecorderProblem) {
        self.file = file
        let bytes = try attempt(try file.read() ?? [], else: RecorderProblem.notes)
        let decoder = LineDecoder()
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard case .event(let event) = line.withUnsafeBytes({ decoder.decodeWritten($0) }),
                take(event)
            else {
                unreadable += 1
                continue
            }
        }
    }

    /// Applies a note from the file; returns `false` if the event isn't a note.
    private mutating func take(_ event: Event<Written>) -> Bool {
        let session = Session(
            account: event.account, device: event.device, environment: event.environment)
        switch event.fact {
        case .paymentRequested(let request):
            let isPromoted = event.id?.hasPrefix(NotedPayment.promoted) ?? false
            payments.append(
                NotedPayment(
                    request: request, session: session, isPromoted: isPromoted, at: event.at))
        case .queuePurchased(let purchase):
            guard let place = payments.firstIndex(where: { $0.key == purchase.payment }) else {
                return false
            }
            payments[place].transaction = purchase.transaction
        case .queueFinished(let entry): finishing.insert(entry)
        case .deliveryDelivered(let refused): refusedDeliveries.insert(refused.transaction)
        case .restoreRequested: restore = (event.id ?? "", session)
        default: return false
        }
        return true
    }

    /// Writes the notes, which are on the disk when the call returns.
    ///
    /// Cost: two syncs.
    func save(now: Timestamp) throws(RecorderProblem) {
        try attempt(try file.replace(with: try lines(now: now)), else: RecorderProblem.notes)
    }

    private func lines(now: Timestamp) throws(EventLogError) -> [UInt8] {
        var bytes: [UInt8] = []
        var seq: Int64 = 0
        func write(
            _ fact: Fact<Written>, at: Timestamp, id: String? = nil, _ session: Session = Session()
        ) throws(EventLogError) {
            seq += 1
            let event = Event<Written>(
                seq: seq, at: at, id: id, account: session.account, device: session.device,
                environment: session.environment, fact)
            do throws(WritingProblem) {
                try LineWriter.append(event, to: &bytes)
            } catch {
                throw .cannotWrite(draft: Int(seq) - 1, error)
            }
        }
        for payment in payments {
            try write(
                .paymentRequested(payment.request), at: payment.at, id: payment.id, payment.session)
            guard let transaction = payment.transaction else { continue }
            let purchase = QueuePurchased<Written>(
                transaction: transaction, payment: payment.key, product: payment.request.product,
                purchasedAt: payment.at)
            try write(.queuePurchased(purchase), at: payment.at)
        }
        let entries = finishing.map { ($0.payment?.name ?? "", $0.transaction?.name ?? "", $0) }
        for entry in entries.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
            try write(.queueFinished(entry: entry.2), at: now)
        }
        for transaction in refusedDeliveries.sorted(by: { $0.name < $1.name }) {
            try write(.deliveryDelivered(.init(transaction: transaction)), at: now)
        }
        if let restore {
            try write(.restoreRequested(by: .user), at: now, id: restore.name, restore.session)
        }
        return bytes
    }
}
