/// The purchase state of an open log, and the decoder of newly written lines.
///
/// The type contains all of a ledger's work on the state with fingerprinted names. It is in this
/// module so that the compiler specializes the code for fingerprints. Only one thread may use a
/// value at a time.
package struct FoldedState: @unchecked Sendable {
    /// The state folded from the log so far.
    package private(set) var state = PurchaseState<Fingerprinted>()
    private let decoder = LineDecoder()

    /// Creates an empty state.
    package init() {}

    /// Folds a line that was read; a line that isn't understood changes nothing.
    package mutating func take(_ line: DecodedLine<Fingerprinted>) {
        if case .event(let event) = line { state.evolve(event) }
    }

    /// Folds a line that was just written to the log.
    package mutating func take(_ line: [UInt8]) {
        state.evolve(event(ofWritten: line))
    }

    /// Every reason to refuse a command, in order of precedence.
    package func refusals(
        of command: Command, by session: Session, now: Timestamp
    ) -> [Refusal] {
        state.refusals(of: command, by: session, now: now, .asFingerprints)
    }

    /// The first reason not to record statements in the order given, or `nil` if there is none.
    ///
    /// Each statement is checked against the state after the statements before it.
    package func refusal(of drafts: [Draft]) throws(EventLogError) -> Refusal? {
        var admissionState = state.admissionState
        for (number, draft) in drafts.enumerated() {
            let line: [UInt8]
            do throws(WritingProblem) {
                line = try LineWriter.line(of: draft.numbered(1))
            } catch {
                throw .cannotWrite(draft: number, error)
            }
            let event = event(ofWritten: line)
            do throws(Refusal) {
                try admit(event, admissionState)
            } catch {
                return error
            }
            admissionState.evolve(event)
        }
        return nil
    }

    /// The phase of a transaction.
    package func phase(of transaction: TransactionID<Written>) -> TransactionPhase {
        state.phase(of: Respelling.asFingerprints(transaction))
    }

    /// The state of a transaction, or `nil` if no event named it.
    package func transaction(
        _ transaction: TransactionID<Written>
    ) -> TransactionState<Fingerprinted>? {
        state.transaction(Respelling.asFingerprints(transaction))
    }

    /// The phase of a payment.
    package func phase(of payment: PaymentID<Written>) -> PaymentPhase {
        state.phase(of: Respelling.asFingerprints(payment))
    }

    private func event(ofWritten line: [UInt8]) -> Event<Fingerprinted> {
        let decoded = line.withUnsafeBytes { decoder.decodeFingerprinted($0) }
        guard case .event(let event) = decoded else {
            preconditionFailure("a line that the log's writer wrote is an event")
        }
        return event
    }
}
