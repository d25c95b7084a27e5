/// The results of requests whose new lines aren't durable yet, in the order of the requests.
struct PendingResults {
    struct StagedRequest {
        let drafts: Int
        let linesBefore: Int
        /// The drafts whose lines already exist, with those lines; all other drafts are new.
        var existing: [(draft: Int, line: Appended)] = []
    }

    enum Outcome {
        case staged(StagedRequest)
        /// A rule forbids the request, after this number of new lines.
        case refused(Refusal, linesBefore: Int)
        case failed(EventLogError)
    }

    private let firstSeq: Int64
    private var requests: [Outcome] = []

    init(firstSeq: Int64, expecting count: Int) {
        self.firstSeq = firstSeq
        requests.reserveCapacity(count)
    }

    mutating func add(_ outcome: Outcome) { requests.append(outcome) }

    func results(with lines: [Appended]) -> [Result<[Appended], AppendFailure>] {
        requests.map { request in
            switch request {
            case .staged(let staged): .success(PendingResults.answers(staged, lines))
            case .refused(let refusal, _): .failure(.refused(refusal))
            case .failed(let error): .failure(.log(error))
            }
        }
    }

    private static func answers(_ staged: StagedRequest, _ lines: [Appended]) -> [Appended] {
        // Fast path: usually every draft of a request is new.
        if staged.existing.isEmpty {
            let end = staged.linesBefore + staged.drafts
            return staged.drafts == lines.count ? lines : Array(lines[staged.linesBefore..<end])
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

    /// The results if writing the new lines failed.
    ///
    /// A request whose result or refusal depends on a new line gets the error instead; a rule's
    /// refusal may depend on any line before it.
    func results(failedWith error: EventLogError) -> [Result<[Appended], AppendFailure>] {
        requests.map { request in
            switch request {
            case .staged(let staged):
                let isSafe =
                    staged.existing.count == staged.drafts
                    && staged.existing.allSatisfy { $0.line.seq < firstSeq }
                return isSafe ? .success(staged.existing.map(\.line)) : .failure(.log(error))
            case .refused(let refusal, linesBefore: 0): return .failure(.refused(refusal))
            case .refused: return .failure(.log(error))
            case .failed(.idConflict(_, _, let seq)) where seq >= firstSeq:
                return .failure(.log(error))
            case .failed(.unexpectedSequence(_, let seen)) where seen >= firstSeq:
                return .failure(.log(error))
            case .failed(let refusal): return .failure(.log(refusal))
            }
        }
    }
}
