import PurchaseSignatures
import Testing

/// Expects a verification to fail at a step.
func expect(
    _ outcome: SignatureOutcome, failsAt step: SignatureStep, saying words: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard case .invalid(let problem) = outcome else {
        Issue.record("valid, expected \(step) to fail", sourceLocation: sourceLocation)
        return
    }
    #expect(problem.step == step, "\(problem.message)", sourceLocation: sourceLocation)
    if let words {
        #expect(problem.message.contains(words), sourceLocation: sourceLocation)
    }
}
