import PurchaseEvents

/// Maps event types to the rules to call, except line rules.
///
/// Built once and shared by all copies of a check.
final class RulePlan {
    /// For each kind of event, the indices of the rules that read it.
    let readers: [Int]
    /// The start of each kind's part in ``readers``, and the end.
    let starts: UnsafeMutableBufferPointer<Int>

    init(_ rules: [RuleRunner]) {
        var byKind = [[Int]](repeating: [], count: 2 * EventType.allCases.count)
        for (place, rule) in rules.enumerated() where rule.observeLines == nil {
            for type in rule.reads.types {
                byKind[RulePlan.kind(type, hasKeys: false)].append(place)
            }
            for type in (rule.readsKeys ? EventTypes.all : rule.reads).types {
                byKind[RulePlan.kind(type, hasKeys: true)].append(place)
            }
        }
        readers = byKind.flatMap { $0 }
        starts = .allocate(capacity: byKind.count + 1)
        starts.initialize(repeating: 0)
        for (kind, places) in byKind.enumerated() {
            starts[kind + 1] = starts[kind] + places.count
        }
    }

    deinit { starts.deallocate() }

    /// The kind of an event of a type, with or without an `id` or a `source`.
    @inline(__always)
    static func kind(_ type: EventType, hasKeys: Bool) -> Int {
        Int(type.rawValue) &* 2 &+ (hasKeys ? 1 : 0)
    }
}
