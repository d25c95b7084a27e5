import PurchaseEvents

/// Reads the keys of one JSON object of the App Store's with the tolerance that its data needs.
///
/// Strings, numbers and booleans stand for each other; `null` and an empty string are absent; what
/// can't be read is remarked on and left out, and the rest of the record is kept.
struct RecordReader {
    /// The way to the record from the document's root; empty for the root.
    let path: String
    /// The first byte of the record in its file.
    let offset: Int
    /// The keys in the order of the file, the last of those that are repeated.
    private(set) var keys: [String] = []
    private var values: [String: JSONValue] = [:]
    let remarks: ImportRemarks
    /// Whether the App Store always writes the same kind of JSON value under a key, so that another
    /// kind, which is read all the same, is worth a word.
    private let isExact: Bool

    /// A reader of an object; anything else is remarked on, and `nil`.
    init?(
        _ value: JSONValue, path: String = "", remarks: ImportRemarks, isExact: Bool = false
    ) {
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

    /// The value of a key; `nil` where it is absent, `null` or an empty string.
    func value(_ key: String) -> JSONValue? {
        values[key].flatMap { $0.isAbsent ? nil : $0 }
    }

    /// A text, or a number or boolean as its text.
    func text(_ key: String) -> String? { plain(key, "a text", { $0.isText }) }

    /// A text, number or boolean as its text; where the kinds of values are exact, one of another
    /// kind than expected is remarked on and read.
    private func plain(
        _ key: String, _ expected: String, _ isExpected: (JSONValue) -> Bool
    ) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.plainText else {
            remark(.warning, key, "expected a text, seen \(value.kindWords); ignored")
            return nil
        }
        if isExact, !isExpected(value) {
            remarks.add(
                .note, at: value.offset, path: path(to: key), once: "kind of \(key)",
                "expected \(expected), seen \(value.kindWords); converted, here and later")
        }
        return text
    }

    /// A number as its text, or what stands for one.
    private func number(_ key: String) -> String? { plain(key, "a number", { $0.isNumber }) }

    /// A text that the log takes as a name.
    func name(_ key: String) -> String? {
        guard var name = text(key) else { return nil }
        let isPlain = name.withUTF8 { NameCheck.isPlain(UnsafeRawBufferPointer($0)) }
        guard isPlain, name.utf8.count <= NameCheck.maximumLength else {
            leaveOut(key, name, "a name of 1 to 255 bytes without control characters")
            return nil
        }
        return name
    }

    /// A flag: `true`, `"true"`, `1`, `"1"` and their opposites.
    func flag(_ key: String) -> Bool? {
        let flags = ["true": true, "1": true, "false": false, "0": false]
        return meaning(
            key, plain(key, "a boolean", { $0.isFlag }), flags, "true or false")
    }

    /// An integer within a range.
    func integer(_ key: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let text = number(key) else { return nil }
        guard let value = Int64(text), range.contains(value) else {
            leaveOut(key, text, "an integer, \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return value
    }

    /// What a word of a list stands for, capitals or not; another word is remarked on.
    func word<Meaning>(
        _ key: String, _ meanings: [String: Meaning], _ expected: String
    ) -> Meaning? {
        meaning(key, text(key), meanings, expected)
    }

    /// What a number of a list stands for; another one is remarked on.
    func number<Meaning>(
        _ key: String, _ meanings: [String: Meaning], _ expected: String
    ) -> Meaning? {
        meaning(key, number(key), meanings, expected)
    }

    private func meaning<Meaning>(
        _ key: String, _ text: String?, _ meanings: [String: Meaning], _ expected: String
    ) -> Meaning? {
        guard let text else { return nil }
        guard let meaning = meanings[text.lowercased()] else {
            leaveOut(key, text, expected)
            return nil
        }
        return meaning
    }

    /// A date that the App Store writes under several keys: milliseconds under `key_ms` are
    /// preferred, else the text under `key` or, in iOS 6 style, `key_formatted`.
    ///
    /// Pacific time alone can't be read: its offset needs the rules of the zone.
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
        if unread.date == .unreadable {
            leaveOut(unread.key, unread.text, "a date")
        } else {
            leaveOut(unread.key, unread.text, "a date in milliseconds or in GMT")
        }
        return nil
    }

    /// A date in milliseconds since 1970 under the key itself, as signed records write it;
    /// decimals, which Xcode writes, are cut, and a date in the year 1 is none.
    func date(_ key: String) -> Timestamp? {
        guard let text = number(key) else { return nil }
        guard case .time(let time) = AppStoreDate(text) else {
            leaveOut(key, text, "a date in milliseconds since 1970")
            return nil
        }
        return time < RecordReader.firstDate ? nil : time
    }

    /// The start of the year 2: who has no date writes one before it.
    private static let firstDate = Timestamp(milliseconds: -62_104_060_800_000)

    /// The object under a key.
    func record(_ key: String) -> RecordReader? {
        guard let value = value(key) else { return nil }
        return RecordReader(value, path: path(to: key), remarks: remarks, isExact: isExact)
    }

    /// The objects of the array under a key; one object alone is an array of one.
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

    /// Remarks on a key, or with `nil` on the record.
    func remark(_ level: Level, _ key: String?, _ message: String) {
        let place = key.flatMap { values[$0]?.offset } ?? offset
        remarks.add(level, at: place, path: key.map(path(to:)) ?? path, message)
    }

    /// Remarks on the keys that no one is known to write in a kind of record.
    func remarkUnknownKeys(of kind: String, known: Set<String>) {
        for key in keys where !known.contains(key) {
            remarks.addUnknownKey(
                key, in: kind, at: values[key]?.offset ?? offset, path: path(to: key))
        }
    }

    /// Counts those of a list of keys that the record has and that the log has no place for.
    func countUnplaced(of kind: String, _ unplaced: Set<String>) {
        for key in keys where unplaced.contains(key) && value(key) != nil {
            remarks.count(unplaced: key, in: kind)
        }
    }

    func path(to key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    private func leaveOut(_ key: String, _ seen: String, _ expected: String) {
        remark(.warning, key, seen, instead: expected)
    }

    /// Remarks on a value of a key that was seen where another was expected.
    private func remark(
        _ level: Level, _ key: String, _ seen: String, instead expected: String
    ) {
        let excerpt = Array(seen.utf8).withUnsafeBytes { EscapedText.excerpt($0) }
        remark(level, key, "expected \(expected), seen `\(excerpt)`")
    }
}

extension Set<String> {
    /// The keys under which the App Store may write each of the dates.
    static func dateKeys(_ names: String...) -> Set<String> {
        var keys: Set<String> = []
        for name in names {
            for ending in ["", "_ms", "_pst", "_formatted", "_formatted_pst"] {
                keys.insert(name + ending)
            }
        }
        return keys
    }
}
