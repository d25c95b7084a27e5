/// Who must allow a request before the log takes it.
package enum Decision: Sendable {
    /// Each draft is a statement, and must be admitted after the ones before it.
    case statements
    case command(Command, by: Session, now: Timestamp)
}

/// The state that decides which requests a log takes.
///
/// Between two rounds, the state is that of the durable lines. Within a round, each request is
/// decided on top of the lines staged before it. If these lines then can't be written, the state
/// goes back: it is folded again from the log. That costs as much as opening the log, so a round
/// folds its lines as late as it can; a round of one request never needs to go back.
struct DecidingState: Sendable {
    private(set) var folded: FoldedState
    /// The events staged in this round that aren't folded yet.
    private var staged: [Event<Fingerprinted>] = []
    /// Whether events of this round are folded although their lines aren't durable.
    private var isAhead = false
    /// Why going back failed, if it did: only a beginning of the durable lines is folded.
    private var problem: EventLogError?

    var isWhole: Bool { staged.isEmpty && !isAhead && problem == nil }

    init(_ folded: FoldedState) { self.folded = folded }

    func event(ofWritten line: UnsafeBufferPointer<UInt8>) -> Event<Fingerprinted> {
        folded.event(ofWritten: UnsafeRawBufferPointer(line))
    }

    mutating func refusal(of decision: Decision, _ events: [Event<Fingerprinted>]) -> Refusal? {
        if !staged.isEmpty {
            foldStaged()
            isAhead = true
        }
        switch decision {
        case .statements: return folded.refusal(of: events)
        case .command(let command, let session, let now):
            return folded.refusals(of: command, by: session, now: now).first
        }
    }

    mutating func stage(_ events: [Event<Fingerprinted>]) { staged += events }

    mutating func settle() {
        foldStaged()
        isAhead = false
    }

    /// Drops what was staged: its lines were not written. The log ends at `size`.
    mutating func goBack(to size: Int64, of store: LogBytes) {
        staged = []
        if isAhead { foldAgain(store, to: size) }
    }

    /// Throws if the state lacks durable lines, after trying once more to fold them.
    mutating func complete(from store: LogBytes, to size: Int64) throws(EventLogError) {
        if problem != nil { foldAgain(store, to: size) }
        if let problem { throw problem }
    }

    private mutating func foldStaged() {
        for event in staged { folded.take(.event(event)) }
        staged = []
    }

    private mutating func foldAgain(_ store: LogBytes, to size: Int64) {
        folded = FoldedState(key: folded.key)
        isAhead = false
        problem = nil
        do throws(EventLogError) {
            try folded.take(store, to: size)
        } catch {
            problem = error
        }
    }
}
