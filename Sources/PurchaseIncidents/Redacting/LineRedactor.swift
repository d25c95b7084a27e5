import PurchaseEvents

/// Redacts lines one by one.
///
/// A line is first decoded and rewritten canonically, so that each key is redacted as it was
/// understood; the format's own list of fields says what each key holds. Only one thread may use a
/// redactor at a time.
final class LineRedactor {
    /// The replacement for a line that isn't understood; readers don't understand it either.
    static let placeholder = Array(#"{"type":"redacted"}"#.utf8)

    private let redaction: Redaction
    private var pseudonyms: Pseudonyms?
    private let decoder = LineDecoder()
    private var line = LineBuffer()
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
            summary.unknownKeys += decoder.notes.count { $0.code == .unknownKey }
            if let members = try? CanonicalMembers(LineWriter.line(of: event)),
                write(members, event.type)
            {
                summary.events += 1
                output.append(contentsOf: line.written)
            } else {
                summary.notUnderstood += 1
                output += LineRedactor.placeholder
            }
        }
        output.append(0x0A)
    }

    /// The result of redacting the value of a key.
    private enum Outcome {
        case asItIs
        case text(String)
        case leftOut
        /// The value can't be written.
        case impossible
    }

    /// The fields of each type, by its number.
    private static let fields = EventType.allCases.map { EventType.envelope + $0.schema }

    /// Writes the redacted members of a line; returns `false` if a date would leave the calendar or
    /// the line would be too long.
    private func write(_ members: CanonicalMembers, _ type: EventType) -> Bool {
        var members = members
        line.removeAll()
        for field in LineRedactor.fields[Int(type.rawValue)] {
            let value = members.next(field.key)
            if field.key == .chained {
                guard redaction.isChained else { continue }
                appendKey(.chained)
                line.append("true")
            }
            guard field.key != .chained, let value else { continue }
            switch outcome(of: value, field) {
            case .impossible: return false
            case .leftOut: break
            case .asItIs:
                appendKey(field.key)
                value.bytes.withUnsafeBufferPointer { line.append(contentsOf: $0) }
            case .text(let text):
                appendKey(field.key)
                line.append(quoted: text)
            }
        }
        line.append(UInt8(ascii: "}"))
        return line.count <= LineDecoder.maximumLineLength
    }

    private func appendKey(_ key: Key) {
        line.append(line.count == 0 ? "{\"" : ",\"")
        line.append(key.wireName)
        line.append("\":")
    }

    private func outcome(of value: CanonicalValue, _ field: Field) -> Outcome {
        switch field.kind {
        case .name(let role):
            return replaces(role) ? .text(pseudonym(of: value.text)) : .asItIs
        case .id: return .text(statement(value.text))
        case .time:
            guard redaction.shift != 0 else { return .asItIs }
            let time = Timestamp(value.text).flatMap { moved($0) }
            return time.map { .text($0.text) } ?? .impossible
        case .text: return outcome(ofText: value, field)
        case .flag, .currency, .integer, .word: return .asItIs
        }
    }

    private func replaces(_ role: NameRole) -> Bool {
        switch role {
        case .transaction, .payment, .account, .device, .download, .notification, .receipt,
            .payer:
            true
        case .product, .group, .content: redaction.replacesProducts
        }
    }

    private func pseudonym(of name: String) -> String {
        pseudonyms?.pseudonym(of: name) ?? name
    }

    private func moved(_ time: Timestamp) -> Timestamp? {
        let moved = time.advanced(byMilliseconds: redaction.shift * Timestamp.day)
        return moved.isWritable ? moved : nil
    }

    // MARK: Texts

    /// Redacts a text: a name gets its pseudonym, and a word of the format or of the App Store
    /// stays.
    ///
    /// Any other error becomes `unknown`; any other text is removed, or emptied if it is required.
    private func outcome(ofText value: CanonicalValue, _ field: Field) -> Outcome {
        guard redaction.key != nil else { return .asItIs }
        let text = value.text
        switch field.key {
        case .type: return .asItIs
        case .app, .writer, .sha256: return .text(pseudonym(of: text))
        case .error:
            if KnownError(rawValue: text) != nil { return .asItIs }
            summary.texts += 1
            return .text(KnownError.unknown.rawValue)
        case .reason:
            if RevocationReason(rawValue: text) != nil { return .asItIs }
            if LineRedactor.isWord(text) { return .asItIs }
        case .name, .subtype, .period:
            if LineRedactor.isWord(text) { return .asItIs }
        case _: break
        }
        summary.texts += 1
        return field.isRequired ? .text("") : .leftOut
    }

    /// Whether a text has the form of a code of the App Store or of ISO 8601, such as `DID_RENEW`
    /// or `P1M`.
    private static func isWord(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                Alphabet.upper.holds($0) || Alphabet.digits.holds($0) || $0 == UInt8(ascii: "_")
            }
    }

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
            let moved = moved(Timestamp(milliseconds: signed))?.milliseconds ?? signed
            if !name.isEmpty { return "\(parts[0]):\(pseudonym(of: name)):\(moved)#\(number)" }
        }
        return "\(pseudonym(of: String(subject)))#\(number)"
    }

    private static func areDigits(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(Alphabet.digits.holds)
    }
}
