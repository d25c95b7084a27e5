/// Lets appends that are asked for at once share one write and one sync.
///
/// A caller that comes while nothing is being written leads: it takes all that wait, its own
/// request among them, and writes. A caller that comes meanwhile waits for the next round. So one
/// alone waits for nobody, and many wait for two syncs at most.
///
/// Tasks that were answered together come again together. So the first of them doesn't lead: the
/// one that makes them as many as before does, or, where some do something else, a task of the
/// queue's own, which has its turn behind theirs. Later than a round takes, nobody is waited for.
final class CommitQueue: Sendable {
    typealias Answer = Result<[Appended], EventLogError>

    private enum Lead: Sendable {
        case free
        /// Several are expected, or a task was asked to lead that may not run yet.
        case offered
        case taken
    }

    /// What a task that came does.
    private enum Part: Sendable {
        case waits, leads
        /// It has another task lead, when the others have come.
        case offers
    }

    private struct State: Sendable {
        var waiting: [Waiting] = []
        var lead = Lead.free
        /// How many the next round is expected to be of, and until when.
        var expected = 1
        var expectedUntil: ContinuousClock.Instant?

        /// Whether those have come that the next round is expected to be of, or it is too late.
        func isComplete(_ now: () -> ContinuousClock.Instant) -> Bool {
            waiting.count >= expected || expectedUntil.map { now() >= $0 } ?? true
        }
    }

    private let state = Protected(State())
    private let environment: CommitEnvironment
    private let commit: @Sendable ([AppendRequest]) -> [Answer]

    /// A queue before what writes requests and answers each.
    init(
        in environment: CommitEnvironment = CommitEnvironment(),
        _ commit: @escaping @Sendable ([AppendRequest]) -> [Answer]
    ) {
        self.environment = environment
        self.commit = commit
    }

    /// How many wait for the next round.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Appends, on this thread.
    func append(_ request: AppendRequest) -> Answer {
        let bell: Bell? = state.withLock { state in
            // Threads that wait may be all that tasks have to run on: a task that was asked to lead
            // would never run.
            guard state.lead == .taken else {
                state.lead = .taken
                return nil
            }
            let bell = Bell()
            state.waiting.append(Waiting(request: request, caller: .thread(bell)))
            return bell
        }
        guard let bell else { return lead(with: request) }
        switch bell.wait() {
        case .answered(let answer): return answer
        case .leads: return lead(with: request)
        }
    }

    /// Appends, and lets the thread do something else while another writes.
    func append(_ request: AppendRequest) async -> Answer {
        await withUnsafeContinuation { continuation in
            let caller = Waiting.Caller.task(continuation, Task.currentPriority)
            switch enter(Waiting(request: request, caller: caller)) {
            case .leads: lead()
            case .offers: offer(Task.currentPriority)
            case .waits: break
            }
        }
    }

    /// Waits in line; what the task has to do now.
    private func enter(_ task: Waiting) -> Part {
        state.withLock { state in
            state.waiting.append(task)
            if state.lead == .taken { return .waits }
            if state.isComplete(environment.now) {
                state.lead = .taken
                return .leads
            }
            if state.lead == .offered { return .waits }
            state.lead = .offered
            return .offers
        }
    }

    /// Has a task lead once those that are ahead of it had their turn.
    private func offer(_ priority: TaskPriority) {
        environment.start(priority) {
            let leads = self.state.withLock { state in
                guard state.lead == .offered else { return false }
                state.lead = .taken
                return true
            }
            if leads { self.lead() }
        }
    }

    // MARK: Rounds

    /// Writes what waits and the thread's own request; its answer.
    private func lead(with own: AppendRequest) -> Answer {
        guard let answer = round(own).last else {
            preconditionFailure("each request has an answer")
        }
        return answer
    }

    /// Writes what waits.
    private func lead() { _ = round(nil) }

    /// Writes what waits, and a request that comes last, answers those that wait, and passes on the
    /// lead; all answers.
    private func round(_ own: AppendRequest?) -> [Answer] {
        let round = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        let start = environment.now()
        let requests = round.map(\.request) + (own.map { [$0] } ?? [])
        let answers = commit(requests)
        precondition(answers.count == requests.count, "each request has an answer")
        let end = environment.now()
        state.withLock { state in
            state.expected = answers.count + state.waiting.count
            state.expectedUntil = end + start.duration(to: end)
        }
        for (waiting, answer) in zip(round, answers) { waiting.caller.answer(answer) }
        passOn()
        return answers
    }

    /// Behind the answers, so that the tasks that were answered come before the one that is asked
    /// to lead.
    private func passOn() {
        let next: Waiting.Caller? = state.withLock { state in
            if let thread = state.waiting.firstIndex(where: { $0.caller.isThread }) {
                return state.waiting.remove(at: thread).caller
            }
            state.lead = state.waiting.isEmpty ? .free : .offered
            return state.waiting.first?.caller
        }
        switch next {
        case .thread(let bell): bell.ring(.leads)
        case .task(_, let priority): offer(priority)
        case nil: break
        }
    }
}

/// What a queue needs of its surroundings, so that tests can stand in for it.
struct CommitEnvironment: Sendable {
    /// The clock.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Lets a task run, behind those that are to run already.
    var start: @Sendable (TaskPriority, @escaping @Sendable () -> Void) -> Void = { priority, act in
        Task.detached(priority: priority) { act() }
    }
}

/// A request in line, and the thread or the task that waits for its answer.
private struct Waiting: Sendable {
    enum Caller: Sendable {
        case thread(Bell)
        case task(UnsafeContinuation<CommitQueue.Answer, Never>, TaskPriority)

        /// Whether a thread stands still while it waits.
        var isThread: Bool {
            switch self {
            case .thread: true
            case .task: false
            }
        }

        func answer(_ answer: CommitQueue.Answer) {
            switch self {
            case .thread(let bell): bell.ring(.answered(answer))
            case .task(let continuation, _): continuation.resume(returning: answer)
            }
        }
    }

    let request: AppendRequest
    let caller: Caller
}
