#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Lets appends that are asked for at once share one write and one sync.
///
/// Who comes while nothing is being written leads: takes all that wait, its own among them, and
/// writes. Who comes meanwhile waits, and one of those leads the next round. So one alone waits for
/// nobody, and many wait for two syncs at most.
final class CommitQueue: Sendable {
    typealias Answer = Result<[Appended], EventLogError>

    private enum Lead: Sendable {
        case free
        /// A task was asked to lead, and may not run yet: a thread that can't wait takes it.
        case offered
        case taken
    }

    private struct State: Sendable {
        var waiting: [Ticket] = []
        var lead = Lead.free
    }

    private let state = Protected(State())
    private let commit: @Sendable ([AppendRequest]) -> [Answer]

    /// A queue before what writes requests and answers each.
    init(_ commit: @escaping @Sendable ([AppendRequest]) -> [Answer]) { self.commit = commit }

    /// How many wait for the next round.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Appends, on this thread.
    func append(_ request: AppendRequest) -> Answer {
        let ticket = Ticket(request, holdsThread: true)
        if enter(ticket) { return lead(ticket) }
        let bell = Bell()
        ticket.receive { bell.ring($0) }
        switch bell.wait() {
        case .answered(let answer): return answer
        case .leads: return lead(ticket)
        }
    }

    /// Appends, and lets the thread do something else while another task writes.
    func append(_ request: AppendRequest) async -> Answer {
        let ticket = Ticket(request, holdsThread: false)
        if enter(ticket) { return lead(ticket) }
        while true {
            let call = await withCheckedContinuation { continuation in
                ticket.receive { continuation.resume(returning: $0) }
            }
            switch call {
            case .answered(let answer): return answer
            case .leads: if claim(ticket) { return lead(ticket) }
            }
        }
    }

    /// Waits in line; `true` for who leads.
    private func enter(_ ticket: Ticket) -> Bool {
        state.withLock { state in
            state.waiting.append(ticket)
            // Threads that wait may be all that tasks have to run on: a task that was asked to lead
            // would never run.
            let leads = state.lead == .free || state.lead == .offered && ticket.holdsThread
            if leads { state.lead = .taken }
            return leads
        }
    }

    /// Whether a task that was asked to lead still may.
    private func claim(_ ticket: Ticket) -> Bool {
        state.withLock { state in
            guard state.lead == .offered, state.waiting.contains(where: { $0 === ticket }) else {
                return false
            }
            state.lead = .taken
            return true
        }
    }

    private func lead(_ own: Ticket) -> Answer {
        let round = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        let answers = commit(round.map(\.request))
        var ownAnswer: Answer?
        for (ticket, answer) in zip(round, answers) {
            if ticket === own { ownAnswer = answer } else { ticket.send(.answered(answer)) }
        }
        passOn()
        guard let ownAnswer else { preconditionFailure("who leads is of the round") }
        return ownAnswer
    }

    private func passOn() {
        let next = state.withLock { state in
            let next = state.waiting.first { $0.holdsThread } ?? state.waiting.first
            state.lead = next.map { $0.holdsThread ? .taken : .offered } ?? .free
            return next
        }
        next?.send(.leads)
    }
}

/// What who waits is told.
private enum TicketCall: Sendable {
    case answered(CommitQueue.Answer)
    /// To lead the next round.
    case leads
}

/// A place in the line.
private final class Ticket: Sendable {
    private enum Mail: Sendable {
        case none, left(TicketCall), awaited(@Sendable (TicketCall) -> Void)
    }

    let request: AppendRequest
    /// Whether a thread stands still while it waits.
    let holdsThread: Bool
    private let mail = Protected(Mail.none)

    init(_ request: AppendRequest, holdsThread: Bool) {
        self.request = request
        self.holdsThread = holdsThread
    }

    func send(_ call: TicketCall) {
        let receiver: (@Sendable (TicketCall) -> Void)? = mail.withLock { mail in
            guard case .awaited(let receiver) = mail else {
                mail = .left(call)
                return nil
            }
            mail = .none
            return receiver
        }
        receiver?(call)
    }

    /// Takes the next call, now or when it comes.
    func receive(_ receiver: @escaping @Sendable (TicketCall) -> Void) {
        let call: TicketCall? = mail.withLock { mail in
            guard case .left(let call) = mail else {
                mail = .awaited(receiver)
                return nil
            }
            mail = .none
            return call
        }
        if let call { receiver(call) }
    }
}

/// Wakes the one thread that waits for it.
private final class Bell: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var rung: TicketCall?

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        let answers = [pthread_mutex_init(mutex, nil), pthread_cond_init(condition, nil)]
        precondition(answers == [0, 0], "a condition needs no more than memory")
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deinitialize(count: 1)
        condition.deallocate()
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    func ring(_ call: TicketCall) {
        pthread_mutex_lock(mutex)
        rung = call
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    func wait() -> TicketCall {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let rung { return rung }
            pthread_cond_wait(condition, mutex)
        }
    }
}
