import PurchaseEvents

/// A statement that holds for a whole log, proven or broken line by line (rules.md).
///
/// A rule reads events and ``Facts``, never a projection and never the state machine, so that it
/// can't repeat a fault that it should catch. It is called for the types that it reads, after the
/// facts took the event in, and once at the end of the log. Rules are values: a copy is a fork.
public protocol Rule: Sendable {
    /// The rule's name in kebab-case, for what must hold.
    static var id: String { get }
    /// How grave a violation is; a finding may be less grave, never more.
    static var level: Level { get }
    /// What must hold, in one sentence or a few.
    static var statement: String { get }
    /// What it rests on: guide facts (`G4.7`) and incident themes (`I1`).
    static var evidence: [String] { get }
    /// The types of event that the rule is called for.
    static var reads: EventTypes { get }
    /// The keys of the envelope that it is called for whatever the type.
    static var readsKeys: EnvelopeKeys { get }

    /// The rule at the beginning of a log.
    init()

    /// What a ``Check`` runs: the default fits every rule. It is asked for here so that each rule
    /// has a runner made for its type.
    static func runner(limit: Int) -> RuleRunner

    /// Reads an event as ``observe(_:on:_:_:)`` does, of the rule that lies at a place: the
    /// default fits every rule. It is asked for here so that each rule has a call of its own.
    ///
    /// - Precondition: the rule at the place is of this type.
    static func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, at place: RulePlace)

    /// Reads an event; `facts` have taken it in already.
    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report)

    /// Reads a line that was not understood.
    mutating func observeNotUnderstood(_ line: LineNumber, _ facts: Facts, _ report: inout Report)

    /// Answers what only the end of the log can answer.
    mutating func finish(_ facts: Facts, _ report: inout Report)
}

/// Keys that an event of any type may have, and that some rules are about.
public struct EnvelopeKeys: OptionSet, Hashable, Sendable {
    /// A bit a key.
    public let rawValue: UInt8

    /// The set of these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The notification that states the event.
    public static let source = EnvelopeKeys(rawValue: 1)
    /// The event's idempotency key.
    public static let id = EnvelopeKeys(rawValue: 2)

    /// The keys of these that an event has.
    @inline(__always)
    init(_ event: Event<Interned>) {
        rawValue = (event.source == nil ? 0 : 1) | (event.id == nil ? 0 : 2)
    }
}

extension Rule {
    /// Most rules are about the facts of some types alone.
    public static var readsKeys: EnvelopeKeys { [] }

    /// Most rules have nothing to say of a line that was not understood.
    public mutating func observeNotUnderstood(
        _ line: LineNumber, _ facts: Facts, _ report: inout Report
    ) {}

    /// Most rules have nothing left to say at the end of the log.
    public mutating func finish(_ facts: Facts, _ report: inout Report) {}
}
