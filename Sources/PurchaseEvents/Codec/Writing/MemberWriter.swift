package struct MemberWriter: FieldWriter, ~Copyable {
    package typealias S = Written

    private var line = LineBuffer()

    package init() {}

    package var written: UnsafeBufferPointer<UInt8> { line.written }

    /// Replaces the bytes written so far with the canonical line of an event at a position; without
    /// one, with its canonical content.
    mutating func writeLine(of event: Event<Written>, _ seq: Int64?) throws(WritingProblem) {
        try begin(event.type, seq: seq, at: seq == nil ? nil : event.at)
        try event.writeMembers(to: &self)
        try finish()
    }

    /// Replaces the bytes written so far with the first members of a line, up to its type.
    package mutating func begin(
        _ type: EventType, seq: Int64?, at: Timestamp?
    ) throws(WritingProblem) {
        line.removeAll()
        try write(.seq, seq)
        try write(.at, at)
        writeKey(.type)
        line.append(quoted: type.wireName)
    }

    /// Ends the line; throws if it is too long for the format.
    package mutating func finish() throws(WritingProblem) {
        line.append(UInt8(ascii: "}"))
        guard line.count <= LineDecoder.maximumLineLength else {
            throw WritingProblem(
                .text, seen: "a line of \(line.count) bytes",
                .range(1...Int64(LineDecoder.maximumLineLength)))
        }
    }

    package mutating func write(id: String?) throws(WritingProblem) { try writeName(.id, id) }

    @inline(__always)
    package mutating func write<Role>(
        _ key: Key, _ identifier: Identifier<Role, Written>?
    ) throws(WritingProblem) {
        guard let identifier else { return }
        try writeName(key, identifier.name)
    }

    @inline(__always)
    private mutating func writeName(_ key: Key, _ name: String?) throws(WritingProblem) {
        guard let name else { return }
        if !writeKey(key, name, 1...NameCheck.maximumLength) { try writeUnusualName(key, name) }
    }

    @inline(never)
    private mutating func writeUnusualName(_ key: Key, _ name: String) throws(WritingProblem) {
        guard 1...NameCheck.maximumLength ~= name.utf8.count else {
            throw WritingProblem(key, seen: "\(name.utf8.count) bytes", .nameLength)
        }
        let isPlain = name.withTextBytes { NameCheck.isPlain(UnsafeRawBufferPointer($0)) }
        guard isPlain else { throw WritingProblem(key, seen: name, .nameCharacters) }
        line.append(quoted: name)
    }

    @inline(__always)
    package mutating func write(_ key: Key, _ text: String?) throws(WritingProblem) {
        guard let text else { return }
        if !writeKey(key, text, 0...NameCheck.maximumTextLength) { try writeUnusualText(key, text) }
    }

    @inline(never)
    private mutating func writeUnusualText(_ key: Key, _ text: String) throws(WritingProblem) {
        guard text.utf8.count <= NameCheck.maximumTextLength else {
            throw WritingProblem(key, seen: "\(text.utf8.count) bytes", .textLength)
        }
        line.append(quoted: text)
    }

    package mutating func write(_ key: Key, _ time: Timestamp?) throws(WritingProblem) {
        guard let time else { return }
        guard time.isWritable else {
            throw WritingProblem(key, seen: "\(time.milliseconds) ms since 1970", .time)
        }
        writeKey(key)
        line.append(time)
    }

    package mutating func write(_ key: Key, _ value: Int64?) throws(WritingProblem) {
        guard let value else { return }
        guard key.range.contains(value) else {
            throw WritingProblem(key, seen: "\(value)", .range(key.range))
        }
        writeKey(key)
        line.append(number: value)
    }

    package mutating func write(_ key: Key, _ flag: Bool?) throws(WritingProblem) {
        guard let flag else { return }
        writeKey(key)
        line.append(flag ? "true" : "false")
    }

    package mutating func write(_ key: Key, _ currency: Currency?) throws(WritingProblem) {
        guard let currency else { return }
        writeKey(key)
        line.append(quoted: currency.code)
    }

    package mutating func write(_ key: Key, _ word: (some ClosedList)?) throws(WritingProblem) {
        guard let word else { return }
        writeKey(key)
        line.append(quoted: word.rawValue)
    }

    package mutating func write(unknown key: String, _ text: String) {
        line.append(UInt8(ascii: ","))
        line.append(quoted: key)
        line.append(UInt8(ascii: ":"))
        line.append(quoted: text)
    }

    /// Writes a key, and the text if it is plain and its length in `lengths`; returns whether.
    @inline(__always)
    private mutating func writeKey(
        _ key: Key, _ text: String, _ lengths: ClosedRange<Int>
    ) -> Bool {
        writeKey(key)
        return text.withTextBytes { lengths.contains($0.count) && line.append(plain: $0) }
    }

    @inline(__always)
    private mutating func writeKey(_ key: Key) {
        let place = line.room(for: 1 + QuotedKeys.longest)
        place[0] = line.count == 0 ? UInt8(ascii: "{") : UInt8(ascii: ",")
        line.advance(by: 1 &+ QuotedKeys.shared.copy(key, to: place + 1))
    }
}
