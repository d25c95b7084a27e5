import PurchaseEvents
import PurchaseProjections

/// Why a log answers a question as it does.
public struct Reason: Sendable {
    /// What the log answers.
    public let answer: Answer
    /// The parts of the reason: by role, and within a role by line.
    public let parts: [Part]

    /// A line, or a missing fact, that the answer depends on.
    public struct Part: Hashable, Sendable {
        /// The line, counted from 1; `nil` for a missing fact without a line.
        public let line: Int?
        /// What the line is to the answer.
        public let role: Role
        /// What the line does to the answer; `nil` for a missing fact.
        public let effect: Effect?
        /// The missing fact, for the role ``Role/missing`` alone.
        public let missing: MissingFact?

        init(line: Int?, _ role: Role, _ effect: Effect? = nil, missing: MissingFact? = nil) {
            self.line = line
            self.role = role
            self.effect = effect
            self.missing = missing
        }
    }

    /// What a line is to an answer.
    public enum Role: String, CaseIterable, Hashable, Sendable {
        /// The answer rests on the line: the lines of this role alone give the same answer, and
        /// without any one of them they don't.
        case rests
        /// The line speaks against the answer, and other lines outweigh the line.
        case overrides
        /// Without the line the answer would be yes.
        case prevents
        /// What a yes would have taken.
        case missing
    }

    /// How the answer would differ.
    public enum Effect: Hashable, Sendable {
        /// There would be no row.
        case noRow
        /// There would be a row.
        case aRow
        /// There would be no finding.
        case noFinding
        /// Keys of the row would have other values: from those of the answer to these.
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
