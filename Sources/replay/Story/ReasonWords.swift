import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// Describes the parts of a reason in plain words.
///
/// Names from the log are inserted verbatim; the caller escapes the text before printing.
struct ReasonWords {
    struct Line {
        var role: Reason.Role
        var number: Int?
        var seq: Int64?
        var at: Timestamp?
        /// The event, in the words of `explain`.
        var event: String?
        /// The effect of the line on the answer, or the missing fact.
        var effect: String

        var message: String { event.map { "\($0); \(effect)" } ?? effect }
    }

    let lines: [Line]

    init(_ reason: Reason, of reasons: Reasons, in log: LogLines) {
        let decoder = LineDecoder()
        lines = reason.parts.map { part in
            var line = Line(
                role: part.role, number: part.line, effect: ReasonWords.effect(of: part))
            guard let number = part.line else { return line }
            guard let event = log.event(number, decoder) else {
                line.event = "not understood"
                return line
            }
            (line.seq, line.at) = (event.seq, event.at)
            line.event = EventWords.words(event, isAgain: reasons.isPresentedAgain(at: number))
            return line
        }
    }

    private static func effect(of part: Reason.Part) -> String {
        if let missing = part.missing { return missing.words }
        let words = part.effect.map { ReasonWords.words($0) } ?? ""
        switch part.role {
        case .rests, .prevents: return "without this line: \(words)"
        case .overrides: return "overridden; otherwise: \(words)"
        case .missing: return words
        }
    }

    private static func words(_ effect: Reason.Effect) -> String {
        switch effect {
        case .noRow: "no row"
        case .aRow: "a row"
        case .noFinding: "no finding"
        case .otherFinding: "another finding"
        case .changes(let changes):
            changes.map { "\($0.key) \($0.after.map { value($0) } ?? "absent")" }
                .joined(separator: ", ")
        }
    }

    static func value(_ value: RowValue) -> String {
        switch value {
        case .text(let text): text
        case .time(let time): TextFormat.time(time)
        case .integer(let number): String(number)
        case .flag(let flag): String(flag)
        case .list, .object: RowJSON.text(of: value)
        }
    }
}

extension LogLines {
    /// The event at a line, counted from 1; `nil` if the line isn't an event.
    func event(_ number: Int, _ decoder: LineDecoder) -> Event<Written>? {
        guard indices.contains(number - 1) else { return nil }
        return self[number - 1].withUnsafeBytes { bytes in
            if case .event(let event) = decoder.decodeWritten(bytes) { event } else { nil }
        }
    }
}
