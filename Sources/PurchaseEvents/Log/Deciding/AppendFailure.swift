package enum AppendFailure: Error, Hashable, Sendable {
    case refused(Refusal)
    case log(EventLogError)
}

extension Result where Success == [Appended], Failure == AppendFailure {
    /// The result of a request that no rule decides.
    var undecided: Result<[Appended], EventLogError> {
        mapError { failure in
            switch failure {
            case .log(let error): return error
            case .refused(let refusal):
                preconditionFailure("no rule decides a request without a decision, seen \(refusal)")
            }
        }
    }
}
