/// The purchase state of a log, and the decoder of its lines.
///
/// The type contains all of a ledger's work on the state with fingerprinted names. It is in this
/// module so that the compiler specializes the code for fingerprints. Only one thread may use a
/// value at a time.
package struct FoldedState: @unchecked Sendable {
    package private(set) var state = PurchaseState<Fingerprinted>()
    private let decoder: LineDecoder
    let key: HashKey
    private var toFingerprint: NameConversion<Fingerprinted> { .asFingerprints(under: key) }

    package init(key: HashKey = .ofProcess) {
        self.key = key
        decoder = LineDecoder(key: key)
    }

    mutating func visitFields(_ visitor: FieldVisitor) { state.visitFields(visitor) }

    package mutating func take(_ line: DecodedLine<Fingerprinted>) {
        if case .event(let event) = line { state.evolve(event) }
    }

    /// Folds the lines of a log up to a size; if reading fails, those before the failure.
    mutating func take(_ store: LogBytes, to size: Int64) throws(EventLogError) {
        try store.reload()
        var cutter = LineCutter(store, limit: size)
        var end: Int64 = 0
        while let line = try cutter.next() {
            cutter.withBytes(of: line) { take(decoder.decodeFingerprinted($0)) }
            end = line.offset + line.fileLength
        }
        guard end == size else { throw .shrank(path: store.path, read: size, size: end) }
    }

    package func refusals(of command: Command, by session: Session, now: Timestamp) -> [Refusal] {
        state.refusals(of: command, by: session, now: now, toFingerprint)
    }

    /// The first reason not to record statements, each checked after the statements before it.
    func refusal(of events: [Event<Fingerprinted>]) -> Refusal? {
        var admissionState = state.admissionState
        for (number, event) in events.enumerated() {
            do throws(Refusal) {
                try admit(event, admissionState)
            } catch {
                return error
            }
            // No statement is checked against the last one, and evolving copies the state.
            if number < events.count - 1 { admissionState.evolve(event) }
        }
        return nil
    }

    package func phase(of transaction: TransactionID<Written>) -> TransactionPhase {
        state.phase(of: toFingerprint(transaction))
    }

    package func transaction(
        _ transaction: TransactionID<Written>
    ) -> TransactionState<Fingerprinted>? {
        state.transaction(toFingerprint(transaction))
    }

    /// Whether a transaction is known to be refunded or revoked, by a statement earlier than one of
    /// an environment, made at a time; `nil` means the log's environment.
    package func isRefunded(
        _ transaction: TransactionID<Written>, before time: Timestamp, in environment: Environment?
    ) -> Bool {
        guard let known = self.transaction(transaction), known.isRefunded,
            let stated = known.refundStated.version
        else { return false }
        let isOfTests = (environment ?? state.environment) != .production
        return stated.isOfTests == isOfTests && stated.time < time
    }

    package func phase(of payment: PaymentID<Written>) -> PaymentPhase {
        state.phase(of: toFingerprint(payment))
    }

    func event(ofWritten line: UnsafeRawBufferPointer) -> Event<Fingerprinted> {
        let decoded = decoder.decodeFingerprinted(line)
        guard case .event(let event) = decoded else {
            preconditionFailure("a line that a writer wrote is an event")
        }
        return event
    }
}
