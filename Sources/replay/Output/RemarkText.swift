import PurchaseEvents
import PurchaseProjections

/// Remarks in the format of compilers: `path:line: error: [rule] message`, with the proof indented
/// below.
struct RemarkText: RemarkWriter {
    let style: Style

    func write(_ remark: Remark, to output: Output) throws(ToolError) {
        let byte = remark.byte.map { ":\($0)" } ?? ""
        let place = "\(remark.path.escaped):\(remark.line)\(byte):"
        let code = style.strong("[\(remark.code)]")
        try output.line(
            "\(style.strong(place)) \(style.level(remark.level)): \(code) "
                + remark.message.escaped)
        for note in remark.notes {
            try output.line(
                "    \(note.path.escaped):\(note.line): \(style.level(.note)): "
                    + note.message.escaped)
        }
        if let hint = remark.hint {
            try output.line("    \(style.strong("hint")): \(hint.escaped)")
        }
    }

    func write(_ tallies: [RuleTally], to output: Output) throws(ToolError) {
        let width = tallies.map { $0.rule.id.count }.max() ?? 0
        for tally in tallies {
            let isNoted = tally.outcome == .notes
            let verdict = TextFormat.padded(isNoted ? "noted" : tally.verdict.rawValue, 12)
            var line = style.verdict(verdict, isNoted ? nil : RemarkText.isBad(tally.verdict))
            line += "  \(TextFormat.padded(tally.rule.id, width))  "
            line += "tested \(tally.tested.counted("time"))"
            if tally.findings > 0 { line += ", \(tally.findings.counted("finding"))" }
            try output.line(line)
            guard tally.verdict == .undetermined else { continue }
            for reason in tally.because { try output.line("    because \(reason.escaped)") }
        }
    }

    /// Whether a verdict is bad; `nil` if it is neither bad nor good.
    private static func isBad(_ verdict: Verdict) -> Bool? {
        switch verdict {
        case .holds: false
        case .violated: true
        case .vacuous, .undetermined: nil
        }
    }
}
