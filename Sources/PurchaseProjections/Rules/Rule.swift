import PurchaseEvents

/// A property that must hold for a whole log, checked line by line (rules.md).
///
/// A rule reads events and ``Facts``, never a projection or the state machine, so that it cannot
/// repeat a fault that it should catch. It is called for the event types that it reads, after the
/// facts took in the event, and once at the end of the log. Rules are value types: a copy is an
/// independent fork.
public protocol Rule: Sendable {
    /// The rule's name in kebab-case; it says what must hold.
    static var id: String { get }
    /// The severity of a violation; a finding may be less severe, never more.
    static var level: Level { get }
    /// What must hold, in one or a few sentences.
    static var statement: String { get }
    /// The guide facts (`G4.7`) and incident themes (`I1`) that the rule rests on.
    static var evidence: [String] { get }
    /// The event types that the rule is called for.
    static var reads: EventTypes { get }
    /// The envelope keys that the rule is called for, whatever the event type.
    static var readsKeys: EnvelopeKeys { get }
    /// Which lines of a log must be checked together for the rule to find what the log breaks.
    static var scope: RuleScope { get }

    /// Creates the rule at the beginning of a log.
    init()

    /// Creates the runner that a ``Check`` uses. The default fits every rule; the requirement makes
    /// the compiler specialize the runner for each rule.
    static func runner(limit: Int) -> RuleRunner

    /// Calls ``observe(_:on:_:_:)`` on the rule at a place. The default fits every rule; the
    /// requirement makes the compiler specialize the call for each rule.
    ///
    /// - Precondition: The rule at the place is of this type.
    static func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, at place: RulePlace)

    /// Reads an event that `facts` have already taken in.
    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report)

    /// Reads a line that was not understood.
    mutating func observeNotUnderstood(_ line: LineNumber, _ facts: Facts, _ report: inout Report)

    /// Reports what only the end of the log can decide.
    mutating func finish(_ facts: Facts, _ report: inout Report)
}

/// Envelope keys that some rules read, on events of any type.
public struct EnvelopeKeys: OptionSet, Hashable, Sendable {
    /// One bit for each key.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The notification that states the event.
    public static let source = EnvelopeKeys(rawValue: 1)
    /// The event's idempotency key.
    public static let id = EnvelopeKeys(rawValue: 2)

    /// The keys that an event has.
    @inline(__always)
    init(_ event: Event<Interned>) {
        rawValue = (event.source == nil ? 0 : 1) | (event.id == nil ? 0 : 2)
    }
}

extension Rule {
    /// The default: the rule reads no envelope keys.
    public static var readsKeys: EnvelopeKeys { [] }

    /// The default: lines that share a name.
    public static var scope: RuleScope { .part }

    /// The default: does nothing.
    public mutating func observeNotUnderstood(
        _ line: LineNumber, _ facts: Facts, _ report: inout Report
    ) {}

    /// The default: does nothing.
    public mutating func finish(_ facts: Facts, _ report: inout Report) {}
}
