import PurchaseEvents

/// Which of some rules are called for an event, by its type and by which keys of the envelope it
/// has; rules about lines alone aren't. Made once, and shared by every copy of a check.
final class RulePlan {
    /// The places of the rules that read an event of each kind, in the order of the rules.
    let readers: UnsafeMutableBufferPointer<UInt16>
    /// Where in ``readers`` those of each kind begin, and the end.
    let starts: UnsafeMutableBufferPointer<Int>

    init(_ rules: [RuleRunner]) {
        let sets = (0..<UInt8(RulePlan.kindsOfType)).map { EnvelopeKeys(rawValue: $0) }
        var byKind = [[UInt16]](
            repeating: [], count: EventType.allCases.count * RulePlan.kindsOfType)
        for (place, rule) in rules.enumerated() where rule.observeLines == nil {
            let read = sets.filter { !$0.isDisjoint(with: rule.readsKeys) }
            for type in EventType.allCases {
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

    /// In how many kinds the events of a type come: one for each set of keys.
    private static let kindsOfType = 4

    /// The kind of an event of a type with those keys.
    @inline(__always)
    static func kind(_ type: EventType, _ keys: EnvelopeKeys) -> Int {
        Int(type.rawValue) &* kindsOfType &+ Int(keys.rawValue)
    }
}
