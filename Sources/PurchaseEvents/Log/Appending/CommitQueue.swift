import Dispatch

/// Lets concurrent appends share one write and one sync.
///
/// A caller that arrives while nothing is being written leads a round: it takes all waiting
/// requests, including its own, and writes them. A caller that arrives during a round waits for the
/// next one. So a single caller never waits, and concurrent callers wait for two syncs at most.
///
/// Tasks answered in one round tend to return together, so the first to return waits for the rest.
/// The round starts when the expected number of requests waits, or when a task that the queue
/// schedules after the returning tasks gets its turn. Once the wait has taken as long as the last
/// round, the next task to arrive starts the round.
final class CommitQueue: Sendable {
    typealias Answer = Result<[Appended], AppendFailure>

    private enum Leadership: Sendable {
        case free
        /// A scheduled task will lead, unless all expected tasks arrive first.
        case offered
        case taken
    }

    private enum Role: Sendable {
        case waits, leads
        /// Schedules another task to lead, so that the others can arrive first.
        case offers
    }

    private struct State: Sendable {
        var waiting: [QueuedRequest] = []
        var lead = Leadership.free
        /// The number of requests expected in the next round, and how long to wait for them.
        var expected = 1
        var expectedUntil: ContinuousClock.Instant?

        /// Whether every task expected in the next round has arrived, or the wait has timed out.
        func isComplete(_ now: () -> ContinuousClock.Instant) -> Bool {
            waiting.count >= expected || expectedUntil.map { now() >= $0 } ?? true
        }
    }

    private let state = Protected(State())
    private let environment: CommitEnvironment
    let commit: @Sendable ([AppendRequest]) -> [Answer]
    /// Runs the rounds that tasks lead, so that no thread of the task pool waits for the disk.
    private let rounds = DispatchQueue(label: "commit", qos: .userInitiated)

    /// Creates a queue; `commit` writes the requests of a round and returns one result for each.
    init(
        in environment: CommitEnvironment = CommitEnvironment(),
        _ commit: @escaping @Sendable ([AppendRequest]) -> [Answer]
    ) {
        self.environment = environment
        self.commit = commit
    }

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    func append(_ request: AppendRequest) -> Answer {
        let signal: WakeupSignal? = state.withLock { state in
            // Blocked threads may occupy the whole task pool, so a task that was scheduled to lead
            // might never run.
            guard state.lead == .taken else {
                state.lead = .taken
                return nil
            }
            let signal = WakeupSignal()
            state.waiting.append(QueuedRequest(request: request, caller: .thread(signal)))
            return signal
        }
        guard let signal else { return lead(with: request) }
        switch signal.wait() {
        case .answered(let answer): return answer
        case .leads: return lead(with: request)
        }
    }

    /// Appends and suspends the task until the request is answered, even if it is cancelled.
    func append(_ request: AppendRequest) async -> Answer {
        await withUnsafeContinuation { continuation in
            let caller = QueuedRequest.Caller.task(continuation, Task.currentPriority)
            switch enter(QueuedRequest(request: request, caller: caller)) {
            case .leads: rounds.async { self.lead() }
            case .offers: offer(Task.currentPriority)
            case .waits: break
            }
        }
    }

    private func enter(_ task: QueuedRequest) -> Role {
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

    /// Schedules a task to lead after the tasks that are already scheduled.
    private func offer(_ priority: TaskPriority) {
        environment.start(priority) {
            let leads = self.state.withLock { state in
                guard state.lead == .offered else { return false }
                state.lead = .taken
                return true
            }
            if leads { self.rounds.async { self.lead() } }
        }
    }

    // MARK: Rounds

    private func lead(with own: AppendRequest) -> Answer {
        guard let answer = round(own).last else {
            preconditionFailure("each request has an answer")
        }
        return answer
    }

    private func lead() { _ = round(nil) }

    /// Writes the waiting requests and then `own`, answers the waiting callers, and hands over the
    /// lead; returns all results, that of `own` last.
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
        handOverLead()
        return answers
    }

    /// Hands the lead to a waiting caller, after the answers, so that the answered tasks are
    /// scheduled before the task that is asked to lead.
    private func handOverLead() {
        let next: QueuedRequest.Caller? = state.withLock { state in
            if let thread = state.waiting.firstIndex(where: { $0.caller.isThread }) {
                return state.waiting.remove(at: thread).caller
            }
            state.lead = state.waiting.isEmpty ? .free : .offered
            return state.waiting.first?.caller
        }
        switch next {
        case .thread(let signal): signal.wake(.leads)
        case .task(_, let priority): offer(priority)
        case nil: break
        }
    }
}

/// The clock and scheduler of a commit queue, which tests replace.
struct CommitEnvironment: Sendable {
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Schedules work after the tasks that are already scheduled.
    var start: @Sendable (TaskPriority, @escaping @Sendable () -> Void) -> Void = { priority, act in
        Task.detached(priority: priority) { act() }
    }
}

private struct QueuedRequest: Sendable {
    enum Caller: Sendable {
        case thread(WakeupSignal)
        case task(UnsafeContinuation<CommitQueue.Answer, Never>, TaskPriority)

        var isThread: Bool { if case .thread = self { true } else { false } }

        func answer(_ answer: CommitQueue.Answer) {
            switch self {
            case .thread(let signal): signal.wake(.answered(answer))
            case .task(let continuation, _): continuation.resume(returning: answer)
            }
        }
    }

    let request: AppendRequest
    let caller: Caller
}
