/// The problem of a field; the decoder adds the position and what was seen.
struct FieldProblem {
    var code: DiagnosticCode
    var key: Key
    var expected: Expectation
}
