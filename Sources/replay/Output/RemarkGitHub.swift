import PurchaseEvents

/// Remarks as GitHub workflow commands, which GitHub shows beside the lines of a change.
struct RemarkGitHub: RemarkWriter {
    func write(_ remark: Remark, to output: Output) throws(ToolError) {
        var properties = "file=\(RemarkGitHub.property(remark.path)),line=\(remark.line)"
        if let byte = remark.byte { properties += ",col=\(byte)" }
        properties += ",title=\(RemarkGitHub.property(remark.code))"
        var text = remark.message.escaped
        for note in remark.notes {
            text += "\n\(note.path.escaped):\(note.line): \(note.message.escaped)"
        }
        if let hint = remark.hint { text += "\nhint: \(hint.escaped)" }
        try output.line("::\(command(remark.level)) \(properties)::\(RemarkGitHub.message(text))")
    }

    private func command(_ level: Level) -> String {
        switch level {
        case .error: "error"
        case .warning: "warning"
        case .note: "notice"
        }
    }

    static func message(_ text: String) -> String {
        text.replacing(["%": "%25", "\r": "%0D", "\n": "%0A"])
    }

    /// The value of a property, with colons and commas escaped too.
    static func property(_ text: String) -> String {
        message(text.escaped).replacing([":": "%3A", ",": "%2C"])
    }
}
