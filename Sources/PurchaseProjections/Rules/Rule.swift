import PurchaseEvents

/// A property that must hold for a whole log, checked line by line (rules.md).
///
/// A rule reads events and ``Facts``, never a projection or the state machine, so that it cannot
/// repeat a fault that it should catch. A check calls the rule for each event of the types that it
/// reads, after the facts have recorded the event, and once at the end of the log. Rules are value
/// types: a copy is an independent fork.
public protocol Rule: Sendable {
    /// The rule's name in kebab-case; it says what must hold.
    static var id: String { get }
    /// The severity of a violation; a finding may be less severe, never more.
    static var level: Level { get }
    /// The property that must hold, in one or a few sentences.
    static var statement: String { get }
    /// The guide facts (`G4.7`) and incident themes (`I1`) that the rule rests on.
    static var evidence: [String] { get }
    /// The event types that the rule is called for.
    static var reads: EventTypes { get }

    /// Creates the rule at the beginning of a log.
    init()

    /// Reads an event that `facts` already include.
    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report)

    /// Reports findings that only the end of the log can decide.
    mutating func finish(facts: Facts, report: inout Report)
}

extension Rule {
    /// The default: the type's name in kebab-case.
    public static var id: String {
        var id = ""
        for letter in "\(Self.self)".unicodeScalars.lazy.map(\.properties) {
            if letter.isUppercase, !id.isEmpty { id += "-" }
            id += letter.lowercaseMapping
        }
        return id
    }

    /// The default: does nothing.
    public mutating func finish(facts: Facts, report: inout Report) {}
}
