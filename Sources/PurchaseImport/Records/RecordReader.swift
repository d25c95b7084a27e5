import PurchaseEvents

/// Reads the keys of a JSON object of App Store data tolerantly.
///
/// Strings, numbers and booleans may stand for each other; `null` and an empty string count as
/// absent. A value that can't be read gives a remark, and the rest of the record is kept.
struct RecordReader {
    /// The path from the document's root to the record; empty for the root.
    let path: String
    let offset: Int
    /// The keys in file order, each once.
    private(set) var keys: [String] = []
    private var values: [String: JSONValue] = [:]
    let remarks: ImportRemarks
    /// Whether a value of an unexpected JSON kind gives a remark; the value is read either way.
    private let isExact: Bool

    /// Returns `nil`, with a remark, for a value that isn't an object.
    init?(_ value: JSONValue, path: String = "", remarks: ImportRemarks, isExact: Bool = false) {
        self.isExact = isExact
        guard let members = value.members else {
            remarks.add(
                .error, at: value.offset, path: path,
                "expected an object, seen \(value.kindWords); skipped")
            return nil
        }
        self.path = path
        self.remarks = remarks
        offset = value.offset
        for member in members {
            if values.updateValue(member.value, forKey: member.key) != nil {
                remark(.warning, member.key, "duplicate key; used the last value")
            } else {
                keys.append(member.key)
            }
        }
    }

    /// The value of a key, or `nil` if absent, `null` or an empty string.
    func value(_ key: String) -> JSONValue? { values[key].flatMap { $0.isAbsent ? nil : $0 } }

    /// Whether at least one of the keys has a value; otherwise adds an error that names the first.
    func hasValue(ofOneOf keys: [String]) -> Bool {
        if keys.contains(where: { value($0) != nil }) { return true }
        guard let key = keys.first(where: { values[$0] != nil }) ?? keys.first else { return false }
        let seen = values[key].map { $0.isText ? "an empty text" : $0.kindWords } ?? "none"
        remark(.error, values[key].map { _ in key }, "expected `\(key)`, seen \(seen); skipped")
        return false
    }

    /// A text; a number or boolean is converted.
    func text(_ key: String) -> String? { plain(key, "a text", { $0.isText }) }

    /// A text, number or boolean as text; adds a remark for an unexpected kind if kinds are exact.
    private func plain(
        _ key: String, _ expected: String, _ isExpected: (JSONValue) -> Bool
    ) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.plainText else {
            let expected = isExact ? expected : "a text"
            remark(.warning, key, "expected \(expected), seen \(value.kindWords); ignored")
            return nil
        }
        if isExact, !isExpected(value) {
            remarks.add(
                .note, at: value.offset, path: path(to: key), once: "kind of \(key)",
                "expected \(expected), seen \(value.kindWords); converted, here and later")
        }
        return text
    }

    /// A number as text; a text or boolean may stand for it.
    private func number(_ key: String) -> String? { plain(key, "a number", { $0.isNumber }) }

    /// A text that is valid as a name in a log.
    func name(_ key: String) -> String? { text(key).flatMap { checked($0, key) } }

    /// A number as a name, such as one that isn't in a list.
    func nameOfNumber(_ key: String) -> String? { number(key).flatMap { checked($0, key) } }

    private func checked(_ text: String, _ key: String) -> String? {
        var name = text
        let isPlain = name.withUTF8 { NameCheck.isPlain(UnsafeRawBufferPointer($0)) }
        guard isPlain, name.utf8.count <= NameCheck.maximumLength else {
            leaveOut(key, name, "a name of 1 to 255 bytes without control characters")
            return nil
        }
        // Half of a surrogate pair was read as this character: different names would be one.
        guard !name.unicodeScalars.contains("\u{FFFD}") else {
            leaveOut(key, name, "a name of whole characters")
            return nil
        }
        return name
    }

    /// A flag: `true`, `"true"`, `1`, `"1"`, or one of their opposites.
    func flag(_ key: String) -> Bool? {
        let flags = ["true": true, "1": true, "false": false, "0": false]
        return meaning(key, plain(key, "a boolean", { $0.isFlag }), flags, "true or false")
    }

    func integer(_ key: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let text = number(key) else { return nil }
        guard let value = Int64(text), range.contains(value) else {
            leaveOut(key, text, "an integer, \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return value
    }

    /// The meaning of a word, ignoring letter case; an unlisted word gives a remark.
    func word<Meaning>(
        _ key: String, _ meanings: [String: Meaning], _ expected: String,
        orRemark level: Level = .warning
    ) -> Meaning? {
        meaning(key, text(key), meanings, expected, level)
    }

    func number<Meaning>(
        _ key: String, _ meanings: [String: Meaning], _ expected: String,
        orRemark level: Level = .warning
    ) -> Meaning? {
        meaning(key, number(key), meanings, expected, level)
    }

    private func meaning<Meaning>(
        _ key: String, _ text: String?, _ meanings: [String: Meaning], _ expected: String,
        _ level: Level = .warning
    ) -> Meaning? {
        guard let text else { return nil }
        guard let meaning = meanings[text.lowercased()] else {
            remark(level, key, text, instead: expected)
            return nil
        }
        return meaning
    }

    /// A date that may have several keys: preferably milliseconds under `key_ms`, otherwise the
    /// text under `key` or, in iOS 6 style, `key_formatted`. One in Pacific time alone can't be
    /// read: its offset depends on the rules of the zone.
    func time(_ key: String) -> Timestamp? {
        var unread: (key: String, text: String, date: AppStoreDate)?
        for candidate in [key + "_ms", key, key + "_formatted", key + "_pst"] {
            guard let text = text(candidate) else { continue }
            let date = AppStoreDate(text)
            if case .time(let time) = date, candidate != key + "_pst" {
                if let unread, unread.date == .unreadable {
                    remark(
                        .note, unread.key, unread.text,
                        instead: "a date; used `\(candidate)` instead")
                }
                return time
            }
            if unread == nil || candidate == key + "_ms" { unread = (candidate, text, date) }
        }
        guard let unread else { return nil }
        let isDate = unread.date != .unreadable
        leaveOut(unread.key, unread.text, "a date" + (isDate ? " in milliseconds or in GMT" : ""))
        return nil
    }

    /// A date of a signed record, in milliseconds since 1970. Decimals, which Xcode writes, are
    /// cut; a date before the year 2 counts as absent.
    func date(_ key: String) -> Timestamp? {
        guard let text = number(key) else { return nil }
        guard case .time(let time) = AppStoreDate(text) else {
            leaveOut(key, text, "a date in milliseconds since 1970")
            return nil
        }
        return time < RecordReader.firstDate ? nil : time
    }

    /// The start of the year 2; an earlier date stands for no date.
    private static let firstDate = Timestamp(milliseconds: -62_104_060_800_000)

    func record(_ key: String) -> RecordReader? {
        guard let value = value(key) else { return nil }
        return RecordReader(value, path: path(to: key), remarks: remarks, isExact: isExact)
    }

    /// The objects of the array under a key; a single object counts as an array of one.
    func records(_ key: String) -> [RecordReader] {
        guard let value = value(key) else { return [] }
        guard case .array(let elements) = value.content else {
            return record(key).map { [$0] } ?? []
        }
        return elements.enumerated().compactMap { index, element in
            RecordReader(
                element, path: "\(path(to: key))[\(index)]", remarks: remarks, isExact: isExact)
        }
    }

    /// Adds a remark on a key, or on the record if `key` is `nil`.
    func remark(_ level: Level, _ key: String?, _ message: String) {
        let place = key.flatMap { values[$0]?.offset } ?? offset
        remarks.add(level, at: place, path: key.map(path(to:)) ?? path, message)
    }

    /// Adds a remark on each unknown key, once for a kind of record: a long history would repeat it
    /// in every row.
    func remarkUnknownKeys(of kind: String, known: Set<String>) {
        for key in keys where !known.contains(key) {
            remarks.add(
                .note, at: values[key]?.offset ?? offset, path: path(to: key),
                once: "\(kind) \(RecordReader.shown(key))",
                "unknown key: ignored everywhere in this file")
        }
    }

    /// Counts the present keys that the log has no place for; an empty list holds nothing.
    func countUnplaced(of kind: String, _ unplaced: Set<String>) {
        for key in keys
        where unplaced.contains(key) && value(key) != nil && values[key]?.elements?.isEmpty != true
        {
            remarks.count(unplaced: key, in: kind)
        }
    }

    func path(to key: String) -> String {
        let key = RecordReader.shown(key)
        return path.isEmpty ? key : "\(path).\(key)"
    }

    /// A key for a remark, cut if it is long, so that memory doesn't grow with the keys of a file.
    private static func shown(_ key: String) -> String {
        guard key.utf8.count > 64 else { return key }
        return String(String.UnicodeScalarView(key.unicodeScalars.prefix(64))) + "…"
    }

    /// Warns about a value that is left out: what was seen and what was expected.
    func leaveOut(_ key: String, _ seen: String, _ expected: String) {
        remark(.warning, key, seen, instead: expected)
    }

    private func remark(_ level: Level, _ key: String, _ seen: String, instead expected: String) {
        remark(level, key, "expected \(expected), seen `\(EscapedText.excerpt(of: seen))`")
    }
}

extension Set<String> {
    /// All keys that the dates with these names may have.
    static func dateKeys(_ names: String...) -> Set<String> {
        let endings = ["", "_ms", "_pst", "_formatted", "_formatted_pst"]
        return Set(names.flatMap { name in endings.map { name + $0 } })
    }
}
