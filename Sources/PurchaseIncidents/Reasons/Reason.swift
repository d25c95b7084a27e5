import PurchaseEvents
import PurchaseProjections

/// The reason for a log's answer.
public struct Reason: Sendable {
    /// The log's answer.
    public let answer: Answer
    /// The parts of the reason, sorted by role and then by line.
    public let parts: [Part]

    /// A line, or a missing fact, that the answer depends on.
    public struct Part: Hashable, Sendable {
        /// The line, counted from 1; `nil` for a missing fact without a line.
        public let line: Int?
        /// The role of the line in the answer.
        public let role: Role
        /// The difference that the line makes; `nil` for a missing fact.
        public let effect: Effect?
        /// The missing fact; `nil` unless the role is ``Role/missing``.
        public let missing: MissingFact?

        init(line: Int?, _ role: Role, _ effect: Effect? = nil, missing: MissingFact? = nil) {
            (self.line, self.role, self.effect, self.missing) = (line, role, effect, missing)
        }
    }

    /// The role of a line in an answer.
    public enum Role: String, CaseIterable, Hashable, Sendable {
        /// The answer depends on the line: the lines of this role alone give the same answer, but
        /// removing any one of them changes the answer.
        case rests
        /// The line contradicts the answer, but other lines take precedence.
        case overrides
        /// Without the line, the answer would be yes.
        case prevents
        /// A fact that a yes would need.
        case missing
    }

    /// The way in which the answer would differ.
    public enum Effect: Hashable, Sendable {
        /// There would be no row.
        case noRow
        /// There would be a row.
        case aRow
        /// There would be no finding.
        case noFinding
        /// Values of the row would change, from those in the answer to these.
        case changes([RowChange])
        /// The finding would say something else.
        case otherFinding

        init(_ answer: Answer, becomes other: Answer) {
            if answer.finding != nil || other.finding != nil {
                self = other.finding == nil ? .noFinding : .otherFinding
            } else if other.row == nil {
                self = .noRow
            } else if answer.row == nil {
                self = .aRow
            } else {
                self = .changes(RowChange.between(answer.row, other.row))
            }
        }
    }

    /// The lines of a role, in order, counted from 1.
    public func lines(_ role: Role) -> [Int] { parts.filter { $0.role == role }.compactMap(\.line) }
}
