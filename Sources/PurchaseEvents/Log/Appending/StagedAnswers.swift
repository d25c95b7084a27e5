/// The answers to requests whose new lines are on their way: each its own, in their order.
struct StagedAnswers {
    /// What is known of a request that was taken.
    struct Lines {
        /// How many drafts it has.
        let drafts: Int
        /// How many new lines the batch had before it.
        let linesBefore: Int
        /// The lines that were there already, and which drafts they answer; the others are new.
        var known: [(draft: Int, line: Appended)] = []
    }

    /// The `seq` of the first new line.
    private let firstSeq: Int64
    private var requests: [Result<Lines, EventLogError>] = []

    /// No answers yet, to so many requests, whose first new line has that `seq`.
    init(firstSeq: Int64, expecting count: Int) {
        self.firstSeq = firstSeq
        requests.reserveCapacity(count)
    }

    mutating func add(_ answer: Result<Lines, EventLogError>) { requests.append(answer) }

    /// The answers, with the new lines, which are safe.
    func given(_ lines: [Appended]) -> [Result<[Appended], EventLogError>] {
        requests.map { request in
            request.map { staged in
                // Most often all of a request is new.
                if staged.known.isEmpty {
                    let end = staged.linesBefore + staged.drafts
                    return staged.drafts == lines.count
                        ? lines : Array(lines[staged.linesBefore..<end])
                }
                var answers: [Appended] = []
                answers.reserveCapacity(staged.drafts)
                var next = staged.linesBefore
                for known in staged.known {
                    let new = known.draft - answers.count
                    answers += lines[next..<next + new]
                    answers.append(known.line)
                    next += new
                }
                return answers + lines[next..<next + staged.drafts - answers.count]
            }
        }
    }

    /// The answers where the new lines aren't safe: a caller that would be answered with one of
    /// them, or refused for one of them, is told why.
    func failed(_ error: EventLogError) -> [Result<[Appended], EventLogError>] {
        requests.map { request in
            switch request {
            case .success(let staged):
                let isSafe =
                    staged.known.count == staged.drafts
                    && staged.known.allSatisfy { $0.line.seq < firstSeq }
                return isSafe ? .success(staged.known.map(\.line)) : .failure(error)
            case .failure(.idConflict(_, _, let seq)) where seq >= firstSeq:
                return .failure(error)
            case .failure(.unexpectedSequence(_, let seen)) where seen >= firstSeq:
                return .failure(error)
            case .failure(let refusal): return .failure(refusal)
            }
        }
    }
}
