import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing

/// A history in a small language for tests: one event per line, `type key=value …`.
///
/// `seq` and `at` are filled in: one hour per line from 2026-01-01T00:00:00.000Z, or from `at=`
/// with a day or a time. A time may be a day without a time. `log.opened` comes first unless the
/// first line is `unopened`. Missing required times are the line's own `at`, and a missing required
/// product is `product-1`. A line may end in `← rule-id`, which pins an expected finding of that
/// rule to the line; `← rule-id ×2` expects two. A line that begins with `#` is a comment. Lines
/// are numbered from 1 with `log.opened`.
struct Timeline {
    /// The lines of the log, without newlines.
    private(set) var lines: [String] = []
    /// The findings that the history pins: rule and line.
    private(set) var expected: [Pin] = []

    struct Pin: Hashable, Comparable, CustomStringConvertible {
        var line: Int
        var rule: String
        var description: String { "\(line) \(rule)" }
        static func < (left: Pin, right: Pin) -> Bool {
            (left.line, left.rule) < (right.line, right.rule)
        }
    }

    private var at = Timestamp(milliseconds: 1_767_225_600_000)

    init(_ text: String) {
        var rows = text.split(separator: "\n").map { $0.trimmed }.filter {
            !$0.isEmpty && !$0.hasPrefix("#")
        }
        if rows.first == "unopened" {
            rows.removeFirst()
        } else if rows.first?.hasPrefix("log.opened") != true {
            rows.insert("log.opened schema=1", at: 0)
        }
        for row in rows { add(row) }
    }

    /// The bytes of the log.
    var bytes: [UInt8] { lines.flatMap { Array($0.utf8) + [0x0A] } }

    private mutating func add(_ row: String) {
        let parts = row.split(separator: "←").map { $0.trimmed }
        let words = parts[0].split(separator: " ").map(String.init)
        guard let type = EventType(wireName: words[0]) else {
            // Not an event type: use the line as it is.
            lines.append(parts[0])
            return pin(parts)
        }
        var values: [String: String] = [:]
        for word in words.dropFirst() {
            let pair = word.split(separator: "=", maxSplits: 1).map(String.init)
            values[pair[0]] = pair.count == 2 ? pair[1] : "true"
        }
        if let given = values["at"] {
            if let time = Timestamp(dayOrTime: given) { at = time } else { refuse("at", given) }
        }
        values["at"] = at.text
        values["type"] = type.wireName
        values["seq"] = values["seq"] ?? "\(lines.count + 1)"
        let members = (EventType.envelope + type.schema).compactMap { member($0, values) }
        lines.append("{" + members.joined(separator: ",") + "}")
        at = at.advanced(byMilliseconds: Timestamp.hour)
        pin(parts)
    }

    private func refuse(_ key: String, _ value: String) {
        Issue.record("expected \(key) to be a day or a time, seen \(value)")
    }

    private mutating func pin(_ parts: [String]) {
        for part in parts.dropFirst() {
            let words = part.split(separator: "×").map { $0.trimmed }
            let count = words.count > 1 ? Int(words[1]) ?? 1 : 1
            expected += (0..<count).map { _ in Pin(line: lines.count, rule: words[0]) }
        }
    }

    private func member(_ field: Field, _ values: [String: String]) -> String? {
        var value = values[field.key.wireName]
        if value == nil, field.isRequired {
            if field.kind == .time { value = at.text }
            if field.kind == .name(.product) { value = "product-1" }
        }
        guard let value else { return nil }
        let name = "\"\(field.key.wireName)\":"
        switch field.kind {
        case .integer, .flag: return name + value
        case .time: return name + "\"\(Timestamp(dayOrTime: value)?.text ?? value)\""
        case .name, .id, .text, .currency, .word: return name + "\"\(value)\""
        }
    }
}

extension Timeline {
    /// The reports of rules for the history.
    func reports(_ rules: [any Rule.Type]) throws -> [(rule: RuleInfo, report: Report)] {
        try check(bytes, rules)
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text = text.dropFirst() }
        while let last = text.last, last.isWhitespace { text = text.dropLast() }
        return String(text)
    }
}
