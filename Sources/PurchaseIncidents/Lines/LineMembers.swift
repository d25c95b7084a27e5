import PurchaseEvents

/// The keys and values of a line in their order, for editing.
struct LineMembers: Sendable {
    private(set) var members: [(key: String, value: JSONValue.Content)]

    /// Reads a line, ignoring a byte order mark; `nil` if the line isn't a JSON object.
    init?(_ line: [UInt8]) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = line.starts(with: mark) ? Array(line.dropFirst(mark.count)) : line
        guard let value = try? JSONReader.document(text), let members = value.members else {
            return nil
        }
        self.members = members.map { ($0.key, $0.value.content) }
    }

    func has(_ key: String) -> Bool { members.contains { $0.key == key } }

    /// The type of the event; `nil` if the format has no such type.
    var type: EventType? {
        guard case .string(let name) = members.last(where: { $0.key == Key.type.wireName })?.value
        else { return nil }
        return EventType.allCases.first { $0.wireName == name }
    }

    /// Sets a key, in place if the line has the key; `nil` removes the key.
    mutating func set(_ key: String, _ content: JSONValue.Content?) {
        guard let content else { return members.removeAll { $0.key == key } }
        guard let place = members.firstIndex(where: { $0.key == key }) else {
            return members.append((key, content))
        }
        members[place].value = content
        members[(place + 1)...].removeAll { $0.key == key }
    }

    var bytes: [UInt8] {
        var line = LineBuffer()
        LineMembers.append(members, to: &line)
        return Array(line.written)
    }

    /// The canonical bytes of the line's content: its keys, sorted by name, except those in
    /// `keys`.
    func content(without keys: [Key]) -> [UInt8] {
        let names = keys.map(\.wireName)
        let kept = members.filter { !names.contains($0.key) }
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        var line = LineBuffer()
        LineMembers.append(kept, to: &line)
        return Array(line.written)
    }

    static func text(of content: JSONValue.Content) -> String {
        var line = LineBuffer()
        append(content, to: &line)
        return String(decoding: line.written, as: UTF8.self)
    }

    private static func append(
        _ members: [(key: String, value: JSONValue.Content)], to line: inout LineBuffer
    ) {
        line.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            line.append(quoted: member.key)
            line.append(UInt8(ascii: ":"))
            append(member.value, to: &line)
        }
        line.append(UInt8(ascii: "}"))
    }

    private static func append(_ content: JSONValue.Content, to line: inout LineBuffer) {
        switch content {
        case .null: line.append("null")
        case .flag(let flag): line.append(flag ? "true" : "false")
        case .number(let digits): line.append(digits)
        case .string(let text): line.append(quoted: text)
        case .array(let elements):
            line.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { line.append(UInt8(ascii: ",")) }
                append(element.content, to: &line)
            }
            line.append(UInt8(ascii: "]"))
        case .object(let members): append(members.map { ($0.key, $0.value.content) }, to: &line)
        }
    }
}
