import PurchaseEvents

/// What a ledger knows, and the decoder of what it writes. One thread at a time is in it.
struct LedgerCore: @unchecked Sendable {
    var state: PurchaseState<Fingerprinted>
    private let decoder = LineDecoder()

    init(state: PurchaseState<Fingerprinted>) { self.state = state }

    /// Takes in a line as the log holds it.
    mutating func fold(_ line: [UInt8]) {
        let decoded = line.withUnsafeBytes { decoder.decodeFingerprinted($0) }
        guard case .event(let event) = decoded else {
            preconditionFailure("a line that the log's writer wrote is an event")
        }
        state.evolve(event)
    }

    /// What a draft would be as an event of the log.
    func preview(
        _ draft: Draft, _ number: Int
    ) throws(LedgerError) -> Event<Fingerprinted> {
        let line: [UInt8]
        do throws(WritingProblem) {
            line = try LineWriter.line(of: draft.numbered(1))
        } catch {
            throw .log(.cannotWrite(draft: number, error))
        }
        guard case .event(let event) = line.withUnsafeBytes({ decoder.decodeFingerprinted($0) })
        else { preconditionFailure("a line that the writer wrote is an event") }
        return event
    }
}
