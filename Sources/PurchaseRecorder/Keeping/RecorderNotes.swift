import PurchaseEvents

/// What a recorder keeps over launches beside the log: the keys of the payments in the queue, and
/// what it has begun and not yet recorded.
///
/// The file holds events of format 1, replaced as a whole: after a crash it is the old file or the
/// new one. Each note is written before the queue hears of it and taken out after the log has it,
/// so that a crash between the two loses neither.
struct RecorderNotes {
    /// The payments that the queue holds or may hold, in the order of their keys.
    var payments: [NotedPayment] = []
    /// The entries that are being finished: the queue may have heard of it, the log not yet.
    var finishing: Set<QueueEntry<Written>> = []
    /// The restore that has not ended: its name and who asked.
    var restore: (name: String, session: Session)?
    /// The lines of the file that are no notes.
    private(set) var unreadable = 0
    private let file: ReplacedFile

    /// Reads the notes; a file that doesn't exist has none.
    init(in file: ReplacedFile) throws(RecorderProblem) {
        self.file = file
        let bytes: [UInt8]
        do throws(EventLogError) {
            bytes = try file.read() ?? []
        } catch {
            throw .notes(error)
        }
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

    /// Takes in a note; returns whether it is one.
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
        case .restoreRequested: restore = (event.id ?? "", session)
        default: return false
        }
        return true
    }

    /// Writes the notes; they are on the disk when the call returns. Costs two syncs.
    func save(now: Timestamp) throws(RecorderProblem) {
        do throws(EventLogError) {
            try file.replace(with: try lines(now: now))
        } catch {
            throw .notes(error)
        }
    }

    /// The notes as lines.
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
                try LineWriter.appendLine(of: event, to: &bytes)
            } catch {
                throw .cannotWrite(draft: Int(seq) - 1, error)
            }
        }
        for payment in payments {
            try write(
                .paymentRequested(payment.request), at: payment.at, id: payment.id,
                payment.session)
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
        if let restore {
            try write(.restoreRequested(by: .user), at: now, id: restore.name, restore.session)
        }
        return bytes
    }
}
