/// What is known by a log that is open for writing, and the decoder of what is written to it.
///
/// All that a ledger does with the state, with names as fingerprints: it lies in this module, so
/// that the compiler makes code of its own for that spelling. One thread at a time is in it.
package struct FoldedState: @unchecked Sendable {
    /// What is known.
    package private(set) var state = PurchaseState<Fingerprinted>()
    private let decoder = LineDecoder()

    /// Knows nothing yet.
    package init() {}

    /// Takes in a line that was read; of one that isn't understood nothing is known.
    package mutating func take(_ line: DecodedLine<Fingerprinted>) {
        if case .event(let event) = line { state.evolve(event) }
    }

    /// Takes in a line as the log holds it now.
    package mutating func take(_ line: [UInt8]) {
        state.evolve(event(ofWritten: line))
    }

    /// Everything that speaks against a command, in order of precedence.
    package func refusals(
        of command: Command, by session: Session, now: Timestamp
    ) -> [Refusal] {
        state.refusals(of: command, by: session, now: now, .asFingerprints)
    }

    /// Why statements may not be recorded as they come, each by what the ones before it say; `nil`
    /// where they may.
    package func refusal(of drafts: [Draft]) throws(EventLogError) -> Refusal? {
        var sight = state.sight
        for (number, draft) in drafts.enumerated() {
            let line: [UInt8]
            do throws(WritingProblem) {
                line = try LineWriter.line(of: draft.numbered(1))
            } catch {
                throw .cannotWrite(draft: number, error)
            }
            let event = event(ofWritten: line)
            do throws(Refusal) {
                try admit(event, sight)
            } catch {
                return error
            }
            sight.evolve(event)
        }
        return nil
    }

    /// Where a transaction stands.
    package func phase(of transaction: TransactionID<Written>) -> TransactionPhase {
        state.phase(of: Respelling.asFingerprints(transaction))
    }

    /// Where a payment object stands.
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
