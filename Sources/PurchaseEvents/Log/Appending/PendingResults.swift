/// The results of requests whose new lines aren't durable yet, in the order of the requests.
struct PendingResults {
    /// The outcome of staging one request.
    struct StagedRequest {
        /// The number of drafts in the request.
        let drafts: Int
        /// The number of new lines in the batch before this request.
        let linesBefore: Int
        /// The drafts whose lines already exist, with those lines; all other drafts are new.
        var existing: [(draft: Int, line: Appended)] = []
    }

    /// The `seq` of the first new line.
    private let firstSeq: Int64
    private var requests: [Result<StagedRequest, EventLogError>] = []

    /// Creates an empty list of results with room for `count` requests.
    init(firstSeq: Int64, expecting count: Int) {
        self.firstSeq = firstSeq
        requests.reserveCapacity(count)
    }

    mutating func add(_ answer: Result<StagedRequest, EventLogError>) { requests.append(answer) }

    /// The results once the new lines, given in order, are durable.
    func results(with lines: [Appended]) -> [Result<[Appended], EventLogError>] {
        requests.map { request in
            request.map { staged in
                // Fast path: usually every draft of a request is new.
                if staged.existing.isEmpty {
                    let end = staged.linesBefore + staged.drafts
                    return staged.drafts == lines.count
                        ? lines : Array(lines[staged.linesBefore..<end])
                }
                var answers: [Appended] = []
                answers.reserveCapacity(staged.drafts)
                var next = staged.linesBefore
                for known in staged.existing {
                    let new = known.draft - answers.count
                    answers += lines[next..<next + new]
                    answers.append(known.line)
                    next += new
                }
                return answers + lines[next..<next + staged.drafts - answers.count]
            }
        }
    }

    /// The results if writing the new lines failed.
    ///
    /// A request whose result or refusal depends on a new line gets the error instead.
    func results(failedWith error: EventLogError) -> [Result<[Appended], EventLogError>] {
        requests.map { request in
            switch request {
            case .success(let staged):
                let isSafe =
                    staged.existing.count == staged.drafts
                    && staged.existing.allSatisfy { $0.line.seq < firstSeq }
                return isSafe ? .success(staged.existing.map(\.line)) : .failure(error)
            case .failure(.idConflict(_, _, let seq)) where seq >= firstSeq:
                return .failure(error)
            case .failure(.unexpectedSequence(_, let seen)) where seen >= firstSeq:
                return .failure(error)
            case .failure(let refusal): return .failure(refusal)
            }
        }
    }
}
