import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// Remarks and verdicts as JSON, one object a line.
struct RemarkJSON: RemarkWriter {
    func write(_ remark: Remark, to output: Output) throws(ToolError) {
        try output.line(RemarkJSON.object(remark).text)
    }

    static func object(_ remark: Remark) -> JSONText {
        var object = JSONText()
        object.add(remark.isDiagnostic ? "diagnostic" : "rule", remark.code)
        object.add("level", remark.level.rawValue)
        object.add("path", remark.path)
        object.add("line", remark.line)
        object.add("byte", remark.byte)
        object.add("seq", remark.seq)
        object.add("account", remark.account)
        object.add("key", remark.key)
        object.add("message", remark.message)
        object.add(
            "notes",
            list: remark.notes.map { note in
                var object = JSONText()
                if note.path.exact != remark.path.exact { object.add("path", note.path) }
                object.add("line", note.line)
                object.add("message", note.message)
                return object.text
            })
        object.add("hint", remark.hint)
        if !remark.stake.isEmpty { object.add("stake", raw: JSONText(remark.stake).text) }
        return object
    }

    func write(_ tallies: [RuleTally], to output: Output) throws(ToolError) {
        for tally in tallies {
            var object = JSONText()
            object.add("rule", tally.rule.id)
            object.add("verdict", tally.verdict.rawValue)
            object.add("tested", tally.tested)
            object.add("findings", tally.findings)
            if tally.verdict == .undetermined {
                object.add("because", list: tally.because.map { JSONText.string($0) })
            }
            try output.line(object.text)
        }
    }
}

extension JSONText {
    /// The sums of money by currency, in thousandths.
    init(_ stake: Stake) {
        self.init()
        for (currency, amount) in stake.sorted { add(currency, Int64(clamping: amount)) }
    }
}
