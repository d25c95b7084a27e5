import PurchaseEvents

/// A story as JSON, one object a line.
enum StoryJSON {
    static func object(_ line: StoryLine) -> JSONText {
        var object = JSONText()
        object.add("path", line.path)
        object.add("line", line.line)
        object.add("seq", line.seq)
        object.add("at", line.at.text)
        object.add("type", line.type.wireName)
        object.add("account", line.account)
        object.add("device", line.device)
        object.add("transaction", line.transaction)
        object.add("payment", line.payment)
        object.add("original", line.original)
        object.add("source", line.source)
        if line.environment != .production { object.add("environment", line.environment.rawValue) }
        object.add("text", line.words)
        object.add("changes", list: line.changes.map { change(of: $0).text })
        if line.isForbidden { object.add("forbidden", true) }
        object.add("findings", list: line.findings.map { RemarkJSON.object($0).text })
        if !line.unknown.isEmpty {
            var unknown = JSONText()
            for member in line.unknown { unknown.add(member.key, member.value) }
            object.add("unknown", raw: unknown.text)
        }
        return object
    }

    private static func change(of change: PhaseChange) -> JSONText {
        var object = JSONText()
        object.add("of", change.subject)
        object.add("key", change.key)
        object.add("before", change.before.name)
        object.add("after", change.after.name)
        return object
    }
}
