import PurchaseEvents

/// Maps event types and envelope keys to the rules to call, except line rules.
///
/// Built once and shared by all copies of a check.
final class RulePlan {
    /// For each kind of event, the indices of the rules that read it, in rule order.
    let readers: UnsafeMutableBufferPointer<UInt16>
    /// The start of each kind's part in ``readers``, and the end.
    let starts: UnsafeMutableBufferPointer<Int>

    init(_ rules: [RuleRunner]) {
        let sets = (0..<UInt8(RulePlan.kindsOfType)).map { EnvelopeKeys(rawValue: $0) }
        var byKind = [[UInt16]](
            repeating: [], count: EventType.allCases.count * RulePlan.kindsOfType)
        for (place, rule) in rules.enumerated() where rule.observeLines == nil {
            let read = sets.filter { !$0.isDisjoint(with: rule.readsKeys) }
            for type in read.isEmpty ? rule.reads.types : EventType.allCases {
                for keys in rule.reads.contains(type) ? sets : read {
                    byKind[RulePlan.kind(type, keys)].append(UInt16(place))
                }
            }
        }
        readers = .allocate(capacity: byKind.reduce(0) { $0 + $1.count })
        starts = .allocate(capacity: byKind.count + 1)
        starts.initialize(repeating: 0)
        for (kind, places) in byKind.enumerated() {
            starts[kind + 1] = starts[kind] + places.count
            _ = readers[starts[kind]...].initialize(from: places)
        }
    }

    deinit {
        readers.deallocate()
        starts.deallocate()
    }

    /// The number of kinds for each event type: one for each set of envelope keys.
    private static let kindsOfType = 4

    /// The kind of an event with the given type and keys.
    @inline(__always)
    static func kind(_ type: EventType, _ keys: EnvelopeKeys) -> Int {
        Int(type.rawValue) &* kindsOfType &+ Int(keys.rawValue)
    }
}
