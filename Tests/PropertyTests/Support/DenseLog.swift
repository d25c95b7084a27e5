import PurchaseEvents
import PurchaseSimulation

/// A log of random lines of every type about few names, so that each line meets many others.
///
/// The lines are well formed, and otherwise say anything.
struct DenseLog {
    let lines: [String]

    init(_ choices: any ChoiceSource, upTo most: Int64) {
        var lines = [#"{"seq":1,"at":"\#(DenseLog.time(0))","type":"log.opened","schema":1}"#]
        let types = EventType.allCases.filter { $0 != .logOpened }
        for number in 1...choices.number(in: 1...most) {
            choices.mark()
            let type = choices.pick(types)
            let values = (EventType.envelope + type.schema).compactMap { field in
                DenseLog.member(field, type, number, choices)
            }
            lines.append("{\(values.joined(separator: ","))}")
        }
        self.lines = lines
    }

    /// The bytes of the log.
    var bytes: [UInt8] { lines.flatMap { Array($0.utf8) + [0x0A] } }

    private static func time(_ hours: Int64) -> String {
        Timestamp(milliseconds: 1_767_225_600_000 + hours * Timestamp.hour).text
    }

    private static func member(
        _ field: Field, _ type: EventType, _ number: Int64, _ choices: any ChoiceSource
    ) -> String? {
        let name = "\"\(field.key.wireName)\":"
        if field.key == .seq { return "\(name)\(number + 1)" }
        if field.key == .type { return "\(name)\"\(type.wireName)\"" }
        if field.key == .at { return "\(name)\"\(time(number * 6))\"" }
        guard field.isRequired || choices.happens(oncePer: 2) else { return nil }
        switch field.kind {
        case .name(let role): return "\(name)\"\(role)-\(choices.choose(below: 3))\""
        case .id, .text: return "\(name)\"text-\(choices.choose(below: 3))\""
        case .time: return "\(name)\"\(time(choices.number(in: 0...number * 12)))\""
        case .flag: return "\(name)\(choices.happens(oncePer: 2))"
        case .currency: return "\(name)\"EUR\""
        case .integer(let range):
            return "\(name)\(max(range.lowerBound, choices.number(in: 0...3)))"
        case .word(let words): return "\(name)\"\(choices.pick(words))\""
        }
    }
}
