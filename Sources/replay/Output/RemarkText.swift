import PurchaseEvents
import PurchaseProjections

/// Remarks in the format of compilers: `path:line: error: [rule] message`, with the proof indented
/// below.
struct RemarkText: RemarkWriter {
    let style: Style

    func write(_ remark: Remark, to output: Output) throws(ToolError) {
        let byte = remark.byte.map { ":\($0)" } ?? ""
        let place = "\(EscapedText.escape(remark.path)):\(remark.line)\(byte):"
        let code = style.strong("[\(remark.code)]")
        try output.line(
            "\(style.strong(place)) \(style.level(remark.level)): \(code) "
                + EscapedText.escape(remark.message))
        for note in remark.notes {
            try output.line(
                "    \(EscapedText.escape(note.path)):\(note.line): \(style.level(.note)): "
                    + EscapedText.escape(note.message))
        }
        if let hint = remark.hint {
            try output.line("    \(style.strong("hint")): \(EscapedText.escape(hint))")
        }
    }

    func write(_ tallies: [RuleTally], to output: Output) throws(ToolError) {
        let width = tallies.map { $0.rule.id.count }.max() ?? 0
        for tally in tallies {
            let isNoted = tally.outcome == .notes
            let verdict = TextFormat.padded(isNoted ? "noted" : tally.verdict.rawValue, 12)
            var line = style.verdict(verdict, isNoted ? nil : RemarkText.isBad(tally.verdict))
            line += "  \(TextFormat.padded(tally.rule.id, width))  "
            line += "tested \(TextFormat.count(tally.tested, "time"))"
            if tally.findings > 0 { line += ", \(TextFormat.count(tally.findings, "finding"))" }
            try output.line(line)
            guard tally.verdict == .undetermined else { continue }
            for reason in tally.because {
                try output.line("    because \(EscapedText.escape(reason))")
            }
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
