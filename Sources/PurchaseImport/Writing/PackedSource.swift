import PurchaseEvents

/// Packs the lines of a record into bytes, which can wait in a file until all records are sorted.
///
/// The lines are canonical except for their ``beginning``, which is left out: the assembler writes
/// `seq` and `at` in its place.
struct PackedSource {
    /// The beginning of every line before it is packed.
    static let beginning = Array(#"{"seq":1,"at":"1970-01-01T00:00:00.000Z""#.utf8)

    /// What the log does with a record whose identity an earlier record has.
    enum Repetition: UInt8, BitwiseCopyable {
        /// Records its facts once, with a note.
        case noted
        /// Records its facts once, and counts the record.
        case counted
        /// Records its facts once but each arrival, with a note.
        case arrives
        /// Counts the record, which is a row of a table; refuses a row with different content.
        case row
    }

    /// What is known about a record without its lines.
    struct Head: BitwiseCopyable {
        var identity: Fingerprint, content: Fingerprint
        var file: UInt32, line: UInt32, byte: UInt32
        /// The number of facts, including those that the format can't hold.
        var facts: UInt32
        var repetition: Repetition
    }

    fileprivate struct LineHead: BitwiseCopyable {
        /// The fingerprint of the line's statement; zero if it has no name.
        var statement: Fingerprint
        var count: UInt32
        /// Whether what the line opens or settles follows.
        var hasChange = false
    }

    private(set) var bytes: [UInt8] = []
    /// The facts that the format can't hold.
    private(set) var problems: [(type: EventType, problem: WritingProblem)] = []

    /// Packs the statements of a record, with the number of its file.
    init(_ source: StatedSource, file: Int) {
        let facts = source.facts.enumerated().map { index, stated in
            pack(stated, of: source, id: "\(source.identity)#\(index + 1)")
        }
        let received = source.received.map { pack($0, of: source, id: nil) } ?? []
        let isNamed = source.facts.contains { $0.statement != nil }
        let head = Head(
            identity: PackedSource.fingerprint(of: source.identity),
            content: PackedSource.fingerprint(of: source.content ?? ""),
            file: UInt32(clamping: file), line: UInt32(clamping: source.place.line),
            byte: UInt32(clamping: source.place.byte), facts: UInt32(facts.count),
            repetition: source.recordsEachArrival
                ? .arrives : received.isEmpty && !isNamed ? .noted : .counted)
        withUnsafeBytes(of: head) { bytes += $0 }
        received.withUnsafeBytes { PackedSource.append($0, to: &bytes) }
        for (stated, line) in zip(source.facts, facts) {
            let change = StatedChange(stated, in: source.environment)
            line.withUnsafeBytes {
                PackedSource.append(
                    $0, stating: stated.statement.map(PackedSource.fingerprint), change, to: &bytes)
            }
        }
    }

    /// Packs the event of a row: its line without the beginning.
    static func append(
        row line: UnsafeRawBufferPointer, id: Fingerprint, place: (file: Int, line: Int),
        to bytes: inout [UInt8]
    ) {
        let head = Head(
            identity: id, content: NameTable.fingerprint(of: line),
            file: UInt32(clamping: place.file), line: UInt32(clamping: place.line), byte: 1,
            facts: 1, repetition: .row)
        withUnsafeBytes(of: head) { bytes += $0 }
        append(UnsafeRawBufferPointer(start: nil, count: 0), to: &bytes)
        append(line, to: &bytes)
    }

    private static func append(
        _ line: UnsafeRawBufferPointer, stating statement: Fingerprint? = nil,
        _ change: StatedChange? = nil, to bytes: inout [UInt8]
    ) {
        let head = LineHead(
            statement: statement ?? Fingerprint(high: 0, low: 0), count: UInt32(line.count),
            hasChange: change != nil)
        withUnsafeBytes(of: head) { bytes += $0 }
        if let change { withUnsafeBytes(of: change) { bytes += $0 } }
        bytes += line
    }

    static func fingerprint(of text: String) -> Fingerprint {
        Array(text.utf8).withUnsafeBytes { NameTable.fingerprint(of: $0) }
    }

    /// The line of a fact without its beginning, or nothing if the format can't hold the fact.
    private mutating func pack(
        _ stated: StatedFact, of source: StatedSource, id: String?
    ) -> ArraySlice<UInt8> {
        let isOfNotification = source.received != nil && id != nil
        let notification = source.received?.fact.notification
        let event = Event<Written>(
            seq: 1, at: Timestamp(milliseconds: 0),
            id: isOfNotification ? id : id.map { stated.statement ?? $0 },
            source: isOfNotification ? notification : nil,
            account: stated.account.map { AccountID($0) }, environment: source.environment,
            signedAt: stated.signedAt, stated.fact)
        do throws(WritingProblem) {
            return try LineWriter.line(of: event).dropFirst(PackedSource.beginning.count)
        } catch {
            problems.append((event.type, error))
            return []
        }
    }
}

/// What a line says about a change that a later line may take back: the plan that a subscription
/// renews with, or the refund of a transaction.
struct StatedChange: BitwiseCopyable {
    enum Effect: UInt8, BitwiseCopyable {
        /// Another plan follows at the next renewal: the change is open.
        case opens
        /// The present plan stays, or another began at once.
        case settles
        /// The present plan stays, which the log records only if a change is open.
        case settlesOpen
        /// The transaction is refunded or revoked.
        case refunds
        /// The refund was reversed.
        case reverses
        /// The transaction has no refund, which reverses one that was stated before.
        case showsNoRefund
    }

    /// The fingerprint of the subscription or the transaction.
    let subject: Fingerprint
    /// The fingerprint of the product that the subscription renews with, or the milliseconds of the
    /// statement's version.
    let value: Fingerprint
    let effect: Effect

    /// Returns `nil` if a fact is no such change.
    fileprivate init?(_ stated: StatedFact, in environment: Environment?) {
        let name: String
        switch stated.fact {
        case .renewalPlanChanged(let change):
            let isOpen = change.effect == .nextRenewal && change.product != change.next
            effect = stated.endsOpenChange ? .settlesOpen : isOpen ? .opens : .settles
            value = PackedSource.fingerprint(of: change.next.name)
            name = "plan \(change.original.name)"
        case .cancellationRefunded(let refund):
            (effect, name) = (.refunds, refund.transaction.name)
            value = StatedChange.version(stated.signedAt ?? refund.cancelledAt)
        case .cancellationRevoked(let revoked):
            (effect, name) = (.refunds, revoked.transaction.name)
            value = StatedChange.version(stated.signedAt ?? revoked.cancelledAt)
        case .cancellationReversed(let transaction):
            (effect, name, value) = (.reverses, transaction.name, Fingerprint(high: 0, low: 0))
        case _:
            guard stated.showsNoRefund, let signedAt = stated.signedAt,
                let transaction = stated.fact.transaction
            else { return nil }
            (effect, name) = (.showsNoRefund, transaction.name)
            value = StatedChange.version(signedAt)
        }
        subject = PackedSource.fingerprint(of: "\(environment?.rawValue ?? "") \(name)")
    }

    private static func version(_ time: Timestamp) -> Fingerprint {
        Fingerprint(high: 0, low: UInt64(bitPattern: time.milliseconds))
    }

    /// Whether the version of a statement about a refund is greater than another's.
    func isLater(than other: Fingerprint) -> Bool {
        Int64(bitPattern: other.low) < Int64(bitPattern: value.low)
    }
}

extension Fact<Written> {
    fileprivate var notification: NotificationID<Written>? {
        if case .notificationReceived(let received) = self { received.notification } else { nil }
    }
}

/// Iterates over the packed lines of a record, without their beginning: first that of
/// `notification.received`, then those of the facts; a line that the record lacks is empty.
///
/// Each line comes with the fingerprint of its statement, if that has a name, and with what it
/// opens or settles.
struct UnpackedSource: Sequence, IteratorProtocol {
    let head: PackedSource.Head
    private var rest: UnsafeRawBufferPointer

    /// The bytes are what ``PackedSource`` packed, and must outlive the iterator.
    init(_ bytes: UnsafeRawBufferPointer) {
        head = bytes.loadUnaligned(as: PackedSource.Head.self)
        rest = bytes
        drop(MemoryLayout<PackedSource.Head>.size)
    }

    mutating func next() -> (
        statement: Fingerprint?, change: StatedChange?, line: UnsafeRawBufferPointer
    )? {
        guard !rest.isEmpty else { return nil }
        let head = rest.loadUnaligned(as: PackedSource.LineHead.self)
        drop(MemoryLayout<PackedSource.LineHead>.size)
        var change: StatedChange?
        if head.hasChange {
            change = rest.loadUnaligned(as: StatedChange.self)
            drop(MemoryLayout<StatedChange>.size)
        }
        let line = UnsafeRawBufferPointer(rebasing: rest[..<Int(head.count)])
        drop(line.count)
        let isNamed = head.statement != Fingerprint(high: 0, low: 0)
        return (isNamed ? head.statement : nil, change, line)
    }

    private mutating func drop(_ count: Int) {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
}
