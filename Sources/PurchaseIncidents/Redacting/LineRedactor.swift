import PurchaseEvents

/// Redacts lines one by one.
///
/// A line is decoded and written again, so that each key is redacted as it was understood. Only one
/// thread may use a redactor at a time.
final class LineRedactor {
    /// The replacement for a line that isn't understood; readers don't understand it either.
    static let placeholder = Array(#"{"type":"redacted"}"#.utf8)

    private let redaction: Redaction
    private var pseudonyms: Pseudonyms?
    private let decoder = LineDecoder()
    private var members = MemberWriter()
    private var type = EventType.logOpened
    var summary = RedactionSummary()

    init(_ redaction: Redaction) {
        self.redaction = redaction
        pseudonyms = redaction.key.map { Pseudonyms($0) }
    }

    /// Appends a redacted line and a newline; `bytes` has no newline.
    func append(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        summary.lines += 1
        switch decoder.decodeWritten(bytes) {
        case .blank: summary.blank += 1
        case .notUnderstood:
            summary.notUnderstood += 1
            output += LineRedactor.placeholder
        case .event(let event):
            do throws(WritingProblem) {
                try write(event, bytes)
                summary.events += 1
                if case .logOpened(let opened) = event.fact, opened.chained == true {
                    summary.wasChained = true
                }
                output.append(contentsOf: members.written)
            } catch {
                summary.notUnderstood += 1
                output += LineRedactor.placeholder
            }
        }
        output.append(0x0A)
    }

    /// Writes the redacted line of an event; throws if a date would leave the calendar or the line
    /// would be too long.
    private func write(
        _ event: Event<Written>, _ bytes: UnsafeRawBufferPointer
    ) throws(WritingProblem) {
        type = event.type
        try members.begin(event.type, seq: event.seq, at: moved(event.at))
        var writer = self
        try event.writeMembers(to: &writer)
        writeUnknown(of: bytes)
        try members.finish()
    }

    private func replaces(_ role: NameRole) -> Bool {
        switch role {
        case .transaction, .payment, .account, .device, .download, .notification, .receipt, .payer:
            true
        case .product, .group, .content: redaction.replacesProducts
        }
    }

    private func pseudonym(of name: String) -> String { pseudonyms?.pseudonym(of: name) ?? name }

    private func moved(_ time: Timestamp) -> Timestamp {
        redaction.shift == 0 ? time : time.advanced(byMilliseconds: redaction.shift * Timestamp.day)
    }

    // MARK: Texts

    /// Redacts a text: a name gets its pseudonym, and a known word stays.
    ///
    /// A digest replaces any other text, so that texts that differ still differ.
    private func redacted(_ text: String, _ key: Key) -> String {
        guard let secret = redaction.key else { return text }
        switch key {
        case .app, .writer, .sha256: return pseudonym(of: text)
        case _: break
        }
        if text.isEmpty || StoreWords.hold(text, under: key) { return text }
        summary.texts += 1
        return secret.digest(of: Array(text.utf8))
    }

    /// Writes a digest of the line's unknown keys, if there are any; without a key they go.
    private func writeUnknown(of bytes: UnsafeRawBufferPointer) {
        let count = decoder.notes.count { $0.code == .unknownKey }
        guard count > 0 else { return }
        summary.unknownKeys += count
        guard let secret = redaction.key else { return }
        let content = UnknownContent.bytes(of: type, in: bytes)
        members.write(unknown: LineRedactor.unknownKey, secret.digest(of: content))
    }

    /// The key that stands for all unknown keys of a line; the format doesn't know it either.
    private static let unknownKey = "redacted"

    // MARK: Identifiers of statements

    /// The pseudonym of an `id`.
    ///
    /// In `NAME#n`, the name gets its pseudonym. In `tx:TRANSACTION:DATE#n` and
    /// `ri:ORIGINAL:DATE#n`, the transaction gets its pseudonym and the date is shifted. Any other
    /// `id` gets a pseudonym as a whole.
    private func statement(_ id: String) -> String {
        guard let mark = id.lastIndex(of: "#"), mark != id.startIndex else {
            return pseudonym(of: id)
        }
        let number = id[id.index(after: mark)...]
        guard LineRedactor.areDigits(number) else { return pseudonym(of: id) }
        let subject = id[..<mark]
        let parts = subject.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count >= 3, parts[0] == "tx" || parts[0] == "ri",
            let date = parts.last, LineRedactor.areDigits(date), let signed = Int64(date)
        {
            let name = parts[1..<parts.count - 1].joined(separator: ":")
            let moved = moved(Timestamp(milliseconds: signed))
            let time = moved.isWritable ? moved.milliseconds : signed
            if !name.isEmpty { return "\(parts[0]):\(pseudonym(of: name)):\(time)#\(number)" }
        }
        return "\(pseudonym(of: String(subject)))#\(number)"
    }

    private static func areDigits(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(Alphabet.digits.holds)
    }
}

// What becomes of each field of an event.
extension LineRedactor: FieldWriter {
    typealias S = Written

    func write(id: String?) throws(WritingProblem) { try members.write(id: id.map(statement)) }

    func write<Role>(_ key: Key, _ name: Identifier<Role, Written>?) throws(WritingProblem) {
        guard let name, replaces(Role.role) else { return try members.write(key, name) }
        try members.write(key, Identifier<Role, Written>(pseudonym(of: name.name)))
    }

    func write(_ key: Key, _ text: String?) throws(WritingProblem) {
        try members.write(key, text.map { redacted($0, key) })
    }

    func write(_ key: Key, _ time: Timestamp?) throws(WritingProblem) {
        try members.write(key, time.map(moved))
    }

    func write(_ key: Key, _ value: Int64?) throws(WritingProblem) { try members.write(key, value) }

    func write(_ key: Key, _ flag: Bool?) throws(WritingProblem) {
        let isChained: Bool? = redaction.isChained ? true : nil
        try members.write(key, key == .chained ? isChained : flag)
    }

    func write(_ key: Key, _ currency: Currency?) throws(WritingProblem) {
        try members.write(key, currency)
    }

    func write<Word: ClosedList>(_ key: Key, _ word: Word?) throws(WritingProblem) {
        try members.write(key, word)
    }
}
